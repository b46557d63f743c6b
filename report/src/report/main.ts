import "../common/theme.css";
import "./report.css";
import { pageData } from "../common/data";
import { ComparisonPage } from "./comparison";
import type { ComparisonData } from "./comparison_data";
import type { ReportData } from "./data";
import { ReportPage } from "./page";

const data = pageData<ReportData | ComparisonData>();
void ("compared" in data ? new ComparisonPage(data) : new ReportPage(data)).open(document.getElementById("page")!);
