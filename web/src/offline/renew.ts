// A new version has taken the place of this page, and a part that is wanted now is gone with the old one. Games and progress
// are in the address and the storage: the new page goes on with them.

const [RENEWED, PAUSE] = ['claimeven.renewed', 30_000]; // milliseconds: where it did not help, it will not help again

export function renew(): void {
  try {
    const now = Date.now();
    if (now - Number(sessionStorage.getItem(RENEWED)) < PAUSE) return;
    sessionStorage.setItem(RENEWED, String(now));
    location.reload();
  } catch {
    // without a storage it might reload for ever
  }
}
