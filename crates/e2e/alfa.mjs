// Judges pages by the rules of Alfa: `node alfa.mjs < pages.jsonl`, in a folder where it is installed. A page is a line: what Alfa's own
// `Native.fromNode` says of it. A line with its faults goes out for each; where a rule asks for more than WCAG's level AA, it is left out.
import { Audit } from "@siteimprove/alfa-act";
import { Device } from "@siteimprove/alfa-device";
import { Node } from "@siteimprove/alfa-dom";
import { Request, Response } from "@siteimprove/alfa-http";
import rules from "@siteimprove/alfa-rules";
import { Criterion } from "@siteimprove/alfa-wcag";
import { Page } from "@siteimprove/alfa-web";
import { createInterface } from "node:readline";

// Remarks in the page are nothing to anybody; Alfa would hold an element with one for not empty.
const plain = node => node?.children
    ? { ...node, children: node.children.filter(({ type }) => type !== "comment").map(plain), shadow: plain(node.shadow), content: plain(node.content) }
    : node;
const beyond = rule => {
    const levels = [...rule.requirements].filter(Criterion.isCriterion).map(criterion => JSON.stringify(criterion.level));
    return levels.length > 0 && levels.every(level => level.includes('"AAA"'));
};
const judged = rules.reject(beyond);
for await (const line of createInterface({ input: process.stdin })) {
    const { document, device } = JSON.parse(line);
    const shown = Device.from(device);
    const page = Page.of(Request.empty(), Response.empty(), Node.from(plain(document), shown), shown);
    const faults = [];
    for (const outcome of await Audit.of(page, judged).evaluate()) {
        const { outcome: verdict, rule, target, expectations } = outcome.toJSON();
        if (verdict !== "failed") continue;
        const why = expectations.map(([, found]) => found?.error?.message ?? found?.value?.message).filter(Boolean);
        faults.push(`${rule.uri.split("/").pop()}: ${[...new Set(why)].join("; ")}: ${String(outcome.target).replace(/\s+/g, " ").slice(0, 300)}`);
    }
    console.log(JSON.stringify(faults));
}
