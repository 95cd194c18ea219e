// Judges pages by the rules of Alfa: `node alfa.mjs < pages.jsonl`, in a folder where it is installed. A page is a line: what Alfa's own
// `Native.fromNode` says of it. A line goes out for each, as Rust writes a `Result`: its faults, or why it could not be judged; where a rule asks for more than WCAG's level AA, it is left out.
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
const faults = async line => {
    const { document, device } = JSON.parse(line);
    const shown = Device.from(device);
    const page = Page.of(Request.empty(), Response.empty(), Node.from(plain(document), shown), shown);
    const failed = [...await Audit.of(page, judged).evaluate()]
        .map(outcome => [outcome.target, outcome.toJSON()])
        .filter(([, { outcome }]) => outcome === "failed");
    return failed.map(([target, { rule, expectations }]) => {
        const why = expectations.map(([, found]) => found?.error?.message ?? found?.value?.message).filter(Boolean);
        return `${rule.uri.split("/").pop()}: ${[...new Set(why)].join("; ")}: ${String(target).replace(/\s+/g, " ").slice(0, 300)}`;
    });
};
for await (const line of createInterface({ input: process.stdin })) {
    const told = await faults(line).then(Ok => ({ Ok }), error => ({ Err: String(error?.stack ?? error) }));
    console.log(JSON.stringify(told));
}
