import "../common/theme.css";
import "./report.css";
import { pageData } from "../common/data";
import type { ReportData } from "./data";
import { ReportPage } from "./page";

void new ReportPage(pageData<ReportData>()).open(document.getElementById("page")!);
