import path from 'node:path';
import ts from 'typescript';
import { expect } from 'vitest';
import { verifies } from '../verifies.js';
import { filesBelow, syntaxOf } from './files.js';

const OPERATIONS = path.resolve(import.meta.dirname, '../../src/operations');

const ASKS = 'it asks a model about the project, its team and its tasks, as the settings of the machine say';

/** Operations that take the whole context, with the reason. */
const WHOLE: Readonly<Record<string, string>> = {
  'blueprint.generate': ASKS,
  'casting.analyze': ASKS,
  'evaluation.run': ASKS,
  'evaluation.verify': ASKS,
  'evolve.run': ASKS,
  'func.extract': ASKS,
  'task.prompt': 'it gathers all that a prompt is made of, and the client that would receive it',
  'team.ensure': 'it casts a team if there is none, as `casting.analyze` does',
  'work.start': 'it casts the team of a workflow and starts it',
};

/** Members that a helper may name one by one; one that uses more names groups. */
const PICKED_MOST = 2;

type Members = ReadonlySet<string>;
type Reaching = ts.FunctionLikeDeclaration & { readonly body: ts.Node };

const all = <Value>(sets: Iterable<Iterable<Value>>): ReadonlySet<Value> =>
  new Set([...sets].flatMap((one) => [...one]));

/** The declared contexts by name, with their members. */
function contextsOf(files: readonly ts.SourceFile[]): ReadonlyMap<string, Members> {
  const found = new Map<string, Members>();
  for (const node of files.flatMap(({ statements }) => statements)) {
    if (!ts.isInterfaceDeclaration(node) || !node.name.text.endsWith('Context')) continue;
    const above = (node.heritageClauses ?? []).flatMap(({ types }) => types.map((one) => one.getText()));
    const own = node.members.map((one) => one.name?.getText() ?? '');
    found.set(node.name.text, all([own, ...above.map((name) => found.get(name) ?? [])]));
  }
  return found;
}

const CONTEXTS = contextsOf(['contexts.ts', 'operation.ts'].map((file) => syntaxOf(path.join(OPERATIONS, file))));
const CALL = CONTEXTS.get('CallContext') ?? new Set();
const GROUPS = new Map(
  ['GraphContext', 'TeamContext', 'FilesContext', 'ModelContext', 'MachineContext'].map((name) => [
    name,
    new Set([...(CONTEXTS.get(name) ?? [])].filter((member) => !CALL.has(member))),
  ]),
);

/** Members of a declared type; undefined if it is no context. */
function membersOf(type: ts.TypeNode | undefined): Members | undefined {
  if (type === undefined) return undefined;
  if (ts.isIntersectionTypeNode(type)) {
    const parts = type.types.map(membersOf);
    const known = parts.filter((part) => part !== undefined);
    return known.length === parts.length ? all(known) : undefined;
  }
  if (!ts.isTypeReferenceNode(type)) return undefined;
  const picked = type.typeArguments?.[1]?.getText();
  if (type.typeName.getText() !== 'Pick' || picked === undefined) return CONTEXTS.get(type.typeName.getText());
  return type.typeArguments?.[0]?.getText() === 'Context'
    ? new Set([...picked.matchAll(/'(\w+)'/g)].map(([, name]) => name ?? ''))
    : undefined;
}

/** Functions, constructors and runs of operations by name, as `name`, `new name` and `name.run`. */
function callables(nodes: Iterable<ts.Node>): ReadonlyMap<string, Reaching> {
  const found = new Map<string, Reaching>();
  const visit = (node: ts.Node): void => {
    if (isReaching(node)) found.set(nameOf(node), node);
    ts.forEachChild(node, visit);
  };
  for (const node of nodes) visit(node);
  return found;
}

const isExported = (node: ts.Statement) => /^export\b/.test(node.getText());

function isReaching(node: ts.Node): node is Reaching {
  return ts.isFunctionLike(node) && 'body' in node && node.body !== undefined;
}

function nameOf(node: Reaching): string {
  if (ts.isConstructorDeclaration(node)) return `new ${node.parent.name?.text ?? ''}`;
  if (ts.isFunctionDeclaration(node)) return node.name?.text ?? '';
  const assigned = ts.isMethodDeclaration(node) ? node : node.parent;
  if (ts.isVariableDeclaration(assigned)) return assigned.name.getText();
  const run = isOperationRun(assigned) && assigned.parent.parent.parent;
  return run && ts.isVariableDeclaration(run) ? `${run.name.getText()}.run` : '';
}

function isOperationRun(node: ts.Node): node is ts.ObjectLiteralElement {
  return (
    ts.isObjectLiteralElement(node) &&
    node.name?.getText() === 'run' &&
    ts.isCallExpression(node.parent.parent) &&
    node.parent.parent.expression.getText() === 'operation'
  );
}

/** Name of the operation that a function is the run of. */
function operationOf(node: Reaching): string | undefined {
  const run = ts.isMethodDeclaration(node) ? node : node.parent;
  if (!isOperationRun(run) || !ts.isObjectLiteralExpression(run.parent)) return undefined;
  const name = run.parent.properties.find((one) => ts.isPropertyAssignment(one) && one.name.getText() === 'name');
  return name && ts.isPropertyAssignment(name) ? name.initializer.getText().slice(1, -1) : undefined;
}

/** Members that a function uses of its parameter, or hands on; undefined if the syntax alone does not tell. */
function usedBy(node: Reaching, parameter: ts.ParameterDeclaration, called: Callee): Members | undefined {
  const { name } = parameter;
  if (!ts.isIdentifier(name)) return taken(name);
  const used: (Members | undefined)[] = [];
  const visit = (one: ts.Node): void => {
    if (ts.isIdentifier(one) && one.text === name.text && !isLabel(one)) used.push(membersAt(one, called));
    ts.forEachChild(one, visit);
  };
  for (const part of [...node.parameters.map(({ initializer }) => initializer), node.body]) if (part) visit(part);
  const known = used.filter((one) => one !== undefined);
  return known.length === used.length ? all(known) : undefined;
}

type Callee = (name: string, index: number) => Members | undefined;

/** Whether an identifier only labels something: a member of another object, or a key. */
function isLabel(node: ts.Identifier): boolean {
  const { parent } = node;
  return (ts.isPropertyAccessExpression(parent) || ts.isPropertyAssignment(parent)) && parent.name === node;
}

function membersAt(node: ts.Node, called: Callee): Members | undefined {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return new Set([parent.name.text]);
  if (ts.isVariableDeclaration(parent)) return taken(parent.name);
  if (ts.isSpreadAssignment(parent)) return membersAt(parent.parent, called);
  if (!ts.isCallExpression(parent) && !ts.isNewExpression(parent)) return undefined;
  const index = parent.arguments?.findIndex((one) => one.pos === node.pos) ?? -1;
  const name = parent.expression.getText();
  return index < 0 ? undefined : called(ts.isNewExpression(parent) ? `new ${name}` : name, index);
}

function taken(name: ts.BindingName): Members | undefined {
  if (!ts.isObjectBindingPattern(name) || name.elements.some((one) => one.dotDotDotToken)) return undefined;
  return new Set(name.elements.map((one) => (one.propertyName ?? one.name).getText()));
}

interface Look {
  /** Parameters that name more than their functions use, as `file: function: what`. */
  readonly unused: readonly string[];
  readonly looked: number;
  /** Declared contexts of runs, by operation. */
  readonly runs: ReadonlyMap<string, string>;
}

function lookAt(files: readonly ts.SourceFile[]): Look {
  const everywhere = callables(files.flatMap(({ statements }) => statements.filter(isExported)));
  const unused: string[] = [];
  const runs = new Map<string, string>();
  let looked = 0;
  for (const file of files) {
    const here = callables([file]);
    const called: Callee = (name, index) =>
      membersOf((here.get(name) ?? everywhere.get(name))?.parameters[index]?.type);
    const visit = (node: ts.Node): void => {
      ts.forEachChild(node, visit);
      if (!isReaching(node)) return;
      for (const parameter of node.parameters) {
        const named = membersOf(parameter.type);
        if (named === undefined) continue;
        const operation = operationOf(node);
        if (operation !== undefined) runs.set(operation, parameter.type?.getText() ?? '');
        const used = usedBy(node, parameter, called);
        if (used === undefined) continue;
        looked++;
        unused.push(...excess(parameter, named, used).map((what) => `${file.fileName}: ${nameOf(node)}: ${what}`));
      }
    };
    visit(file);
  }
  return { unused, looked, runs };
}

/** Groups without a used member; of a `Pick` the members that are not used. */
function excess({ type }: ts.ParameterDeclaration, named: Members, used: Members): string[] {
  if (/^Pick</.test(type?.getText() ?? '')) return [...named].filter((member) => !used.has(member));
  return [...GROUPS].flatMap(([group, members]) =>
    [...members].every((member) => named.has(member)) && ![...members].some((member) => used.has(member)) ? group : [],
  );
}

const sample = (text: string) => ts.createSourceFile('sample.ts', text, ts.ScriptTarget.Latest, true);

verifies('one.context', 'a signature names the groups of the context that it uses, and no other', () => {
  const files = filesBelow(OPERATIONS, /\.ts$/).map(syntaxOf);
  const { unused, looked, runs } = lookAt(files);
  expect(unused).toEqual([]);
  expect(looked).toBeGreaterThan(500);
  const whole = [...runs].filter(([, type]) => /\bContext\b/.test(type)).map(([name]) => name);
  expect(whole.sort()).toEqual(Object.keys(WHOLE).sort());
  const named = [...runs.values()].join(' ');
  expect([...GROUPS.keys()].filter((group) => !named.includes(group))).toEqual([]);
  const picks = files.flatMap((file) => file.text.match(/\bPick<\s*Context,[^<>]*>/g) ?? []);
  expect(picks.filter((pick) => pick.split('|').length > PICKED_MOST)).toEqual([]);

  const said = (text: string) => lookAt([sample(text)]).unused;
  expect(said('function f(context: GraphContext & TeamContext) { return context.graph(); }')).toEqual([
    'sample.ts: f: TeamContext',
  ]);
  expect(
    said(
      "function f(context: GraphContext) { g(context); }\nfunction g({ squad }: Pick<Context, 'squad' | 'mail'>) {}",
    ),
  ).toEqual(['sample.ts: f: GraphContext', 'sample.ts: g: mail']);
  expect(said('const f = (context: WorkContext) => h({ ...context, clock });\nfunction h(c: WorkContext) {}')).toEqual([
    'sample.ts: h: GraphContext',
    'sample.ts: h: TeamContext',
  ]);
});
