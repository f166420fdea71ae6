import path from 'node:path';
import ts from 'typescript';
import { expect } from 'vitest';
import { verifies } from '../verifies.js';
import { filesBelow, syntaxOf } from './files.js';

const HOME = path.resolve(import.meta.dirname, '../..');
const NAMED_IN = path.join(HOME, 'src/kernel/graph-folder.ts');

/** The graph folder, or a path below it: no sentence for people that names one. */
const PLACE = /^(?:.*[/\\])?\.workgraph(?:[/\\][\w.*-]*)*$/;
/** The graph folder by one of the names it has in the source. */
const FOLDER = /(?:^|\.)(?:graphFolder|GRAPH_FOLDER|(?:layout|paths|FROM_PROJECT)\.folder)$/;

/** Places, as `file:line`, that name something in a graph folder themselves: a text that is such a path, or a name joined onto the folder. */
function named(tree: ts.SourceFile): string[] {
  const guilty: string[] = [];
  const walk = (node: ts.Node): void => {
    const isText = ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node);
    if ((isText && PLACE.test(node.text)) || joins(node))
      guilty.push(
        `${path.relative(HOME, tree.fileName)}:${tree.getLineAndCharacterOfPosition(node.getStart(tree)).line + 1}`,
      );
    ts.forEachChild(node, walk);
  };
  walk(tree);
  return guilty;
}

/** A call that is given the folder, followed by the name of something in it, such as `path.join(layout.folder, 'agents')`. */
function joins(node: ts.Node): boolean {
  if (!ts.isCallExpression(node)) return false;
  const at = node.arguments.findIndex((argument) => FOLDER.test(argument.getText()));
  const next = at === -1 ? undefined : node.arguments[at + 1];
  return next !== undefined && (ts.isStringLiteralLike(next) || ts.isSpreadElement(next));
}

verifies('one.project', 'what lies in a graph folder is named in one module', () => {
  const files = filesBelow(path.join(HOME, 'src'), /\.ts$/).filter((file) => file !== NAMED_IN);
  expect(files.length).toBeGreaterThan(1_000);
  expect(files.flatMap((file) => named(syntaxOf(file)))).toEqual([]);
  const sample = (text: string) =>
    named(ts.createSourceFile(path.join(HOME, 'a.ts'), text, ts.ScriptTarget.Latest, true));
  expect(sample("const at = path.join(project, '.workgraph', 'agents');")).toEqual(['a.ts:1']);
  expect(sample(`const at = \`.workgraph/agency/\${id}.yaml\`;`)).toEqual(['a.ts:1']);
  expect(sample("const at = path.join(\n  layout.folder, 'agents');")).toEqual(['a.ts:1']);
  expect(
    sample("plainFolder(GRAPH_FOLDER, ...parts);\nreadText(layout.folder);\nconst words = 'See .workgraph/log.';"),
  ).toEqual(['a.ts:1']);
});
