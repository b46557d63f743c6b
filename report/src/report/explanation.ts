import { add, h, said } from "../common/dom";
import type { ReportData } from "./data";
import { printed } from "./explore/printed";
import { printout, rowsTable, section } from "./section";

/** Why each design is as good as it is, and what to order and drill. */
export function explanationPart(data: ReportData): HTMLElement {
  const part = section("explained", "Explanation and parts");
  if (data.designs.length === 0) add(part, h("p", {}, "No design is shown."));
  data.designs.forEach((design, i) => {
    const of = h("details", { class: "design", open: i === 0 }, h("summary", {}, `case ${design.case}`));
    for (const warning of design.warnings) add(of, h("p", { class: "warning" }, said(warning)));
    add(of, h("p", { class: "faint" }, "As `counterpoise show` prints it, in SI."), printout(design.text, `explanation of case ${design.case}`));
    if (design.bill === null) add(of, h("p", {}, "It cannot be built."));
    else {
      const shown = (cell: string | number | null): string => (typeof cell === "number" ? printed(cell) : (cell ?? "-"));
      add(of, h("h3", {}, "Springs"), rowsTable(`springs of case ${design.case}`, design.bill.springs, shown),
        h("h3", {}, "Points"), rowsTable(`points of case ${design.case}`, design.bill.points, shown),
        h("details", {}, h("summary", {}, "as `counterpoise show --bill` prints it, in SI"), printout(design.bill.text, `parts of case ${design.case}`)));
    }
    part.append(of);
  });
  return part;
}

/** Where everything on the page is from. */
export function provenancePart(data: ReportData): HTMLElement {
  const { files, results, changed, page } = data.provenance;
  const text = (cell: string | number | null): string => (cell === null ? "-" : String(cell));
  const part = section("provenance", "Provenance");
  add(part, h("h3", {}, "Files"), rowsTable("files", files, text),
    changed.length > 0 ? h("p", { class: "alert", role: "alert" }, `Changed since they were stored: ${changed.join(", ")}`) : null,
    h("h3", {}, "Results"), rowsTable("results", [{ key: "file", value: data.file }, ...results], text),
    h("h3", {}, "This page"), rowsTable("page", Object.entries(page).map(([key, value]) => ({ key, value })), text));
  return part;
}
