import path from 'node:path';
import ts from 'typescript';
import { expect } from 'vitest';
import { verifies } from '../verifies.js';
import { filesBelow, syntaxOf } from './files.js';

const SRC = path.resolve(import.meta.dirname, '../../src');

/** Fewer fields are alike by chance: a name and a text. */
const FIELDS_LEAST = 4;

const FILE = 'a file, perhaps of an earlier version or another program, is read more loosely than it is written';
const MACHINES = 'what another machine sends is checked field by field against the type of the port';
const WORDS = 'an input, whose fields carry the words of its flags';
const LARGER = 'the answer holds parts that core knows as larger types';

/** Files of interfaces beside a schema with the same fields, each with its reason. */
const BESIDE: Readonly<Record<string, string>> = {
  'core/agency/agency.ts': LARGER,
  'core/agency/pull.ts': LARGER,
  'core/agency/report.ts': FILE,
  'core/agency/waiting-proposals.ts': FILE,
  'core/casting/confirm.ts': LARGER,
  'core/coordinator/snapshot.ts': MACHINES,
  'core/graph/event.ts': FILE,
  'core/graph/resource.ts': WORDS,
  'core/graph/task.ts': FILE,
  'core/history/task-history.ts': MACHINES,
  'core/playbooks/check-function.ts': FILE,
  'core/playbooks/function.ts': FILE,
  'core/runs/event.ts': MACHINES,
  'core/runs/prices.ts': MACHINES,
  'core/squad/memory.ts': WORDS,
  'core/squad/migrate.ts': LARGER,
  'core/squad/team.ts': LARGER,
  'ports/run-host.ts': MACHINES,
  'operations/coordinator-facts.ts': WORDS,
};

interface Shape {
  readonly place: string;
  readonly fields: string;
}

const namesOf = (members: readonly { readonly name?: ts.PropertyName | undefined }[]): string[] =>
  members.map(({ name }) => name?.getText() ?? '').sort();

function shapesIn(folder: string, read: (node: ts.Node) => readonly string[] | undefined): Shape[] {
  return filesBelow(path.join(SRC, folder), /\.ts$/).flatMap((file) => {
    const found: Shape[] = [];
    const visit = (node: ts.Node): void => {
      const fields = read(node);
      if (fields !== undefined && fields.length >= FIELDS_LEAST)
        found.push({ place: path.relative(SRC, file), fields: fields.join(' ') });
      ts.forEachChild(node, visit);
    };
    visit(syntaxOf(file));
    return found;
  });
}

/** Fields of `z.object({ … })`; undefined for other code, and for what is spread into it. */
function schemaFields(node: ts.Node): readonly string[] | undefined {
  if (!ts.isCallExpression(node) || !/^z\.(?:strictO|looseO|o)bject$/.test(node.expression.getText())) return undefined;
  const [fields] = node.arguments;
  if (fields === undefined || !ts.isObjectLiteralExpression(fields)) return undefined;
  return fields.properties.some(ts.isSpreadAssignment) ? undefined : namesOf(fields.properties);
}

const interfaceFields = (node: ts.Node): readonly string[] | undefined =>
  ts.isInterfaceDeclaration(node) && node.heritageClauses === undefined ? namesOf(node.members) : undefined;

verifies('one.shape', 'no interface of core, ports or operations repeats what a schema of an operation answers', () => {
  const schemas = [...shapesIn('operations', schemaFields), ...shapesIn('core', schemaFields)];
  const interfaces = ['core', 'ports', 'operations'].flatMap((folder) => shapesIn(folder, interfaceFields));
  expect(schemas.length).toBeGreaterThan(300);
  expect(interfaces.length).toBeGreaterThan(300);
  const repeated = interfaces.flatMap(({ place, fields }) => {
    const schema = schemas.find((one) => one.fields === fields);
    return schema === undefined ? [] : [{ place, with: schema.place, fields }];
  });
  expect(repeated.filter(({ place }) => BESIDE[place] === undefined)).toEqual([]);
  // A reason that is no longer needed goes.
  expect(Object.keys(BESIDE).filter((file) => !repeated.some(({ place }) => place === file))).toEqual([]);
});
