// node drive.mjs PAGE < STEPS: opens a page in headless Chromium, takes steps, and prints as JSON what
// they returned and everything that a page should not do. `playwright` and `chromium` are places.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [page_file] = process.argv.slice(2);
const { playwright, chromium: executablePath, steps, width, height, scheme } =
  JSON.parse(readFileSync(0, "utf8"));
const { chromium } = await import(pathToFileURL(playwright).href);
const browser = await chromium.launch({
  executablePath,
  args: ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-quic",
    "--no-first-run", "--disable-background-networking", "--disable-component-update",
    "--disable-sync"],
});
const page = await browser.newPage({ viewport: { width, height }, colorScheme: scheme });
const address = pathToFileURL(page_file).href;
const wrong = [];
page.on("console", (message) => wrong.push(`console ${message.type()}: ${message.text()}`));
page.on("pageerror", (error) => wrong.push(`error: ${error.stack}`));
page.on("dialog", (dialog) => {
  wrong.push(`dialog: ${dialog.message()}`);
  void dialog.dismiss();
});
page.on("request", (request) => {
  const url = request.url();
  if (url !== address && !url.startsWith("data:") && !url.startsWith("blob:"))
    wrong.push(`request: ${url}`);
});
await page.addInitScript(() => {
  window.violations = [];
  addEventListener("securitypolicyviolation", (event) =>
    window.violations.push(`${event.violatedDirective} ${event.blockedURI}`));
});

const acts = {
  eval: (code) => page.evaluate(code),
  // the page's policy forbids it to evaluate texts itself
  wait: async (code) => {
    for (let tries = 0; tries < 2000; ++tries) {
      if (await page.evaluate(code)) return true;
      await page.waitForTimeout(30);
    }
    throw new Error(`waited in vain for ${code}`);
  },
  key: (key) => page.keyboard.press(key),
  click: (selector) => page.click(selector),
  focus: (selector) => page.focus(selector),
  choose: ([selector, value]) => page.selectOption(selector, value),
  move: ([x, y]) => page.mouse.move(x, y),
  press: async ([x, y]) => {
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.up();
  },
  drag: async ([x, y, toX, toY]) => {
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move((x + toX) / 2, (y + toY) / 2, { steps: 3 });
    await page.mouse.move(toX, toY, { steps: 3 });
    await page.mouse.up();
  },
  fill: async ([selector, text]) => {
    await page.fill(selector, text);
    await page.keyboard.press("Enter");
  },
  media: (media) => page.emulateMedia({ media }),
  scheme: (colorScheme) => page.emulateMedia({ colorScheme }),
  viewport: ([w, h]) => page.setViewportSize({ width: w, height: h }),
  picture: (path) => page.screenshot({ path }).then(() => true),
  pdf: (path) => page.pdf({ path, format: "A4", printBackground: true }).then(() => true),
  download: async (selector) => {
    const waiting = page.waitForEvent("download");
    await page.click(selector);
    const download = await waiting;
    return { name: download.suggestedFilename(), text: readFileSync(await download.path(), "latin1") };
  },
};

await page.goto(address);
await page.waitForFunction(() => window.counterpoise !== undefined, null, { timeout: 60000 });
const values = [];
for (const [name, argument] of steps) values.push((await acts[name](argument)) ?? null);
for (const violation of await page.evaluate(() => window.violations))
  wrong.push(`violation: ${violation}`);
await browser.close();
process.stdout.write(JSON.stringify({ values, wrong }));
