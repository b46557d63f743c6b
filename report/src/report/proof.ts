import { add, h } from "../common/dom";
import type { MountsProof, ReportData } from "./data";
import { grouped, printedIn } from "./explore/printed";
import { printout, tableBox } from "./section";

/** What is proved, in the words of the terminal, and the numbers of a proof over mounts. */
export function proofPart(data: ReportData): HTMLElement | null {
  const { text, shares } = data.proof_texts;
  const mounts = data.proof?.mounts ?? null;
  if (text === "" && mounts === null) return null;
  const part = h("div", { class: "proof" }, h("h3", {}, "What is proved"));
  add(part, h("p", { class: "faint" }, "As `counterpoise run` prints it, in SI."),
    printout(`${text.trim()}\n${shares}`.trim(), "what is proved"));
  if (mounts !== null) add(part, mountsTable(data, mounts));
  return part;
}

function mountsTable(data: ReportData, mounts: MountsProof): HTMLElement {
  const goal = data.proof?.goal?.length === 1 ? data.proof.goal[0]!.objective : data.objectives.length === 1 ? data.objectives[0]! : "";
  const unit = data.units[goal] ?? "";
  const best = mounts.case === null ? "best" : `best, case ${mounts.case}`;
  const numbers: [string, string, number | null, string][] = [
    [best, printedIn(mounts.best, unit), mounts.best, unit], ["bound", printedIn(mounts.bound, unit), mounts.bound, unit],
    ["gap", printedIn(mounts.gap, unit), mounts.gap, unit], ["gap asked for", printedIn(mounts.asked, unit), mounts.asked, unit],
    ["simplices", grouped(mounts.simplices), mounts.simplices, ""],
  ];
  if (mounts.choices > 0) numbers.push(["choices of springs", grouped(mounts.choices), mounts.choices, ""]);
  const body = h("tbody");
  for (const [name, shown] of numbers) body.append(h("tr", {}, h("th", { scope: "row" }, name), h("td", { class: "number" }, shown)));
  for (const { variable, low, high } of data.proof_texts.ranges) {
    const own = data.units[variable] ?? "";
    body.append(h("tr", {}, h("th", { scope: "row" }, "mounts with ", h("bdi", {}, variable)),
      h("td", { class: "number" }, `${printedIn(low, own)} to ${printedIn(high, own)}`)));
  }
  return tableBox("proof over mounts",
    h("table", { class: "beside" }, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "proof over mounts"),
      h("th", { scope: "col", class: "number" }, mounts.proved ? "proved" : "not proved"))), body),
    numbers.map(([name, , value, of]) => ({ name, value, unit: of })));
}
