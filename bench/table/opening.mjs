// How long a page of `counterpoise report` takes to open and to answer a brush, in Chromium:
//
//     node bench/table/opening.mjs REPORT.html COLUMN LOW HIGH
//
// brushes COLUMN from LOW to eight bounds up to HIGH (in SI). Prints one line for each of three
// openings: milliseconds until plots and tables answer, and for each brush those until the page has
// computed it and until it is painted. $CHROMIUM names the browser.

import { pathToFileURL } from "node:url";

import { chromium } from "../../report/node_modules/playwright-core/index.mjs";

const [file, column, low, high] = process.argv.slice(2);
if (!high) {
  console.error("usage: node bench/table/opening.mjs REPORT.html COLUMN LOW HIGH");
  process.exit(2);
}

/** In the page: computes and paints eight brushes, and returns the milliseconds of both. */
async function brush([column, low, high]) {
  const painted = () =>
    new Promise((done) =>
      requestAnimationFrame(() => {
        const channel = new MessageChannel();
        channel.port1.onmessage = done;
        channel.port2.postMessage(0);
      }),
    );
  const times = [];
  for (let step = 3; step <= 10; ++step) {
    const begun = performance.now();
    window.counterpoise.brush(column, low, low + ((high - low) * step) / 10);
    const computed = performance.now() - begun;
    await painted();
    times.push([computed, performance.now() - begun].map(Math.round));
  }
  return times;
}

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox"],
});
for (let opening = 0; opening < 3; ++opening) {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  const begun = performance.now();
  await page.goto(pathToFileURL(file).href, { waitUntil: "commit" });
  await page.waitForFunction(() => document.documentElement.dataset.ready === "yes");
  const ready = Math.round(performance.now() - begun);
  const times = await page.evaluate(brush, [column, Number(low), Number(high)]);
  const shown = times.map(([computed, painted]) => `${computed}/${painted}`).join(" ");
  console.log(`ready after ${ready} ms; brushes, computed/painted: ${shown}`);
  await page.close();
}
await browser.close();
