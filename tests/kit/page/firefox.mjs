// The journeys of journeys.py in Firefox, on static files: node firefox.mjs ADDRESS FIREFOX FOLDER PUZZLE COLUMNS; puppeteer-core
// lies in FOLDER. First with a network; then it says `cut`, waits for a line, reloads and takes them without one.

import { createRequire } from 'node:module';

const [address, executablePath, folder, puzzle, line] = process.argv.slice(2);
const { default: puppeteer } = await import(createRequire(`${folder}/package.json`).resolve('puppeteer-core'));
const browser = await puppeteer.launch({ browser: 'firefox', executablePath, headless: true });
const page = await browser.newPage();
page.setDefaultTimeout(180_000);
await page.setViewport({ width: 1200, height: 900 });
const visit = (place) => page.goto(`${address}#${place}`);
const text = (selector) => page.$eval(selector, (found) => found.innerText);
const wait = (what, ...values) => page.waitForFunction(what, { polling: 50 }, ...values);
const has = (selector, words) =>
  wait((where, said) => document.querySelector(where)?.innerText.includes(said), selector, words);
const press = async (name) => {
  await wait(
    (said) => [...document.querySelectorAll('button')].some((one) => one.innerText.includes(said) && !one.disabled),
    name,
  );
  await page.evaluate((said) => {
    [...document.querySelectorAll('button')].find((one) => one.innerText.includes(said) && !one.disabled).click();
  }, name);
};
const discs = () => page.$$eval('.disc', (all) => all.length);

const journeys = {
  async game() {
    await visit('/');
    await page.waitForSelector('main');
    await page.evaluate(() => localStorage.clear());
    await visit('/offline?against=player&agent=level:1');
    for (;;) {
      await wait(() => /Your turn|You won|You lost|A draw/.test(document.querySelector('main').innerText));
      if (!/Your turn/.test(await text('main'))) break;
      const before = await discs();
      await page.evaluate(() =>
        document
          .querySelector("[data-column][aria-disabled='false']")
          .dispatchEvent(new MouseEvent('click', { bubbles: true })),
      );
      await wait((count) => document.querySelectorAll('.disc').length > count, before);
    }
  },
  async hint() {
    await visit('/offline?against=player&agent=level:1&moves=41');
    await wait(() => /Your turn/.test(document.querySelector('main').innerText));
    await press('Hint');
    await page.waitForSelector('p.hint');
  },
  async analysis() {
    await visit('/analysis?moves=4131');
    await wait(
      () =>
        [...document.querySelectorAll('[data-value]')].map((one) => one.textContent.trim()).join() ===
        '▲17,=,▲16,▲11,▲2,▲17,▲18',
    );
    await has('main', 'three in a row with both ends open');
  },
  async review() {
    await visit('/review?moves=4444413322');
    await has('main', 'missed win');
  },
  async puzzle() {
    await visit(`/puzzles/${puzzle}`);
    for (let at = 0; at < line.length; at += 2) {
      await wait((column) => document.querySelector(`[data-column='${column}'][aria-disabled='false']`), line[at]);
      const before = await discs();
      await page.evaluate(
        (column) =>
          document.querySelector(`[data-column='${column}']`).dispatchEvent(new MouseEvent('click', { bubbles: true })),
        line[at],
      );
      await wait((count) => document.querySelectorAll('.disc').length > count, before);
    }
    await page.waitForSelector('.right');
  },
  async lesson() {
    await visit('/learn');
    await page.waitForSelector("main a[href^='/learn/']");
    await page.evaluate(() => document.querySelector("main a[href^='/learn/']").click());
    await page.waitForSelector('main [data-column]');
  },
  async atlas() {
    await visit('/map?moves=436557456');
    await has('.how', 'on top');
    const before = await page.$$eval('.crumbs a', (all) => all.length);
    await page.evaluate(() => document.querySelector('.replies button').click());
    await wait((count) => document.querySelectorAll('.crumbs a').length === count + 1, before);
  },
};

try {
  for (const network of [true, false]) {
    if (!network) {
      await page.evaluate(() => navigator.serviceWorker.ready.then(() => true));
      console.log('cut');
      await new Promise((done) => process.stdin.once('data', done));
      process.stdin.unref();
      await page.reload();
    }
    for (const [name, journey] of Object.entries(journeys)) {
      await journey();
      console.log(`${name} ${network ? 'with' : 'without'} a network`);
    }
  }
} catch (error) {
  console.log(String(error), (await text('body')).slice(0, 600));
  process.exitCode = 1;
} finally {
  await browser.close();
}
