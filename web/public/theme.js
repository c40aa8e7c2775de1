// Runs before the first paint, so that a chosen theme does not flash. The rest is in src/lib/settings.svelte.ts.
try {
  const theme = JSON.parse(localStorage.getItem('claimeven.settings') || '{}').theme;
  if (['light', 'dark', 'contrast'].includes(theme)) document.documentElement.dataset.theme = theme;
} catch {
  // Storage may be closed or hold something else: the system's theme is used.
}
