// Mutation operators: enumerates plausible faults of a source file with their ids, samples them, and produces the
// source with all sampled faults in it, each inactive until its number is the active one. Pure: text in, text out.
import { createHash } from 'node:crypto';
import ts from 'typescript';

export const sha = (text) => createHash('sha256').update(text).digest('hex');

const { SyntaxKind } = ts;
const SWAPS = new Map([
  [SyntaxKind.LessThanToken, '<='],
  [SyntaxKind.LessThanEqualsToken, '<'],
  [SyntaxKind.GreaterThanToken, '>='],
  [SyntaxKind.GreaterThanEqualsToken, '>'],
  [SyntaxKind.EqualsEqualsEqualsToken, '!=='],
  [SyntaxKind.ExclamationEqualsEqualsToken, '==='],
  [SyntaxKind.AmpersandAmpersandToken, '||'],
  [SyntaxKind.BarBarToken, '&&'],
  [SyntaxKind.MinusToken, '+'],
  [SyntaxKind.AsteriskToken, '/'],
  [SyntaxKind.SlashToken, '*'],
]);
const STEPS = new Set(['filter', 'sort', 'toSorted', 'reverse', 'toReversed', 'slice', 'trim']);
const PREDICATES = new Set(['filter', 'find', 'some', 'every', 'findIndex', 'findLast']);
/** A widened predicate makes these return any element where none matches. */
const FINDERS = new Set(['find', 'findLast']);
const OPPOSITES = new Map([
  ['some', 'every'],
  ['every', 'some'],
  ['min', 'max'],
  ['max', 'min'],
]);
/** Texts for people are not behaviour that tests should check literally. */
const WORDING = new Set(['what', 'why', 'hint', 'summary', 'title', 'description', 'examples', 'message']);

/** Mutations that no test can observe, each with its reason. */
const isUnseen = (node, file) =>
  // A flush only matters when the power fails.
  (ts.isPropertyAssignment(node) && ['flush', 'sync'].includes(nameOf(node))) ||
  (ts.isExpressionStatement(node) && ['fsyncSync', 'fdatasyncSync'].some((name) => isCallOf(node.expression, name))) ||
  // An invariant that holds never fails, so removing its check changes nothing.
  (ts.isExpressionStatement(node) && isCallOf(node.expression, 'assert')) ||
  (ts.isIfStatement(node) && throwsInternal(onlyStatement(node.thenStatement))) ||
  // Core performs no I/O: an unknown error there is a bug of the program itself.
  (ts.isIfStatement(node) && file.startsWith('src/core/') && rethrowsUnknown(node)) ||
  // Only the keys of a table of queries matter.
  (node.kind === SyntaxKind.TrueKeyword && isNameOfQuery(node.parent)) ||
  // Messages of internal errors, which are shown to no one.
  (ts.isNewExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === 'Error');
const onlyStatement = (statement) =>
  ts.isBlock(statement) && statement.statements.length === 1 ? statement.statements[0] : statement;
const isCallOf = (node, name) =>
  ts.isCallExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === name;
const isNameOfQuery = (node) =>
  isCallOf(node, 'queriesOf') ||
  ((ts.isPropertyAssignment(node) || ts.isObjectLiteralExpression(node) || ts.isSpreadAssignment(node)) &&
    isNameOfQuery(node.parent));
const throwsInternal = (statement) =>
  ts.isThrowStatement(statement) &&
  ts.isNewExpression(statement.expression) &&
  statement.expression.arguments?.[0]?.text === 'internal';
const rethrowsUnknown = ({ expression, thenStatement }) => {
  const thrown = onlyStatement(thenStatement);
  if (!ts.isThrowStatement(thrown) || !ts.isIdentifier(thrown.expression)) return false;
  const asked = ts.isPrefixUnaryExpression(expression) ? expression.operand : expression;
  const inner = ts.isParenthesizedExpression(asked) ? asked.expression : asked;
  return ts.isBinaryExpression(inner) && inner.operatorToken.kind === SyntaxKind.InstanceOfKeyword;
};

const nameOf = (node) => (node.name && ts.isIdentifier(node.name) ? node.name.text : undefined);
const leaves = (statement) =>
  ts.isBlock(statement)
    ? statement.statements.length > 0 && leaves(statement.statements.at(-1))
    : [
        SyntaxKind.ReturnStatement,
        SyntaxKind.ThrowStatement,
        SyntaxKind.ContinueStatement,
        SyntaxKind.BreakStatement,
      ].includes(statement.kind);

/** All possible faults of a file, `{ id, file, kind, form, faulty, early, start, end }`, in source order. */
export function faultsOf(file, text) {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ES2022, true);
  const faults = [];
  const counts = new Map();
  const say = (node) => text.slice(node.getStart(source), node.end);

  function add(node, kind, faulty, place, form = 'expression') {
    const name = `${file} ${place} ${kind} ${sha(say(node)).slice(0, 8)}`;
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    const id = count === 1 ? name : `${name}~${count}`;
    const early = ts.findAncestor(node, ts.isFunctionLike) === undefined;
    faults.push({ id, file, kind, form, faulty, early, start: node.getStart(source), end: node.end });
  }

  function binary(node, place) {
    const operator = node.operatorToken.kind;
    const [left, right] = [say(node.left), say(node.right)];
    if (SWAPS.has(operator)) {
      const swapped = SWAPS.get(operator);
      add(node, `${node.operatorToken.getText(source)}-becomes-${swapped}`, `(${left}) ${swapped} (${right})`, place);
    }
    const counted = operator === SyntaxKind.PlusToken || operator === SyntaxKind.MinusToken;
    if (counted && ts.isNumericLiteral(node.right)) add(node, 'step-dropped', left, place);
    if (operator === SyntaxKind.QuestionQuestionToken) add(node, 'default-dropped', left, place);
    if (operator === SyntaxKind.AmpersandAmpersandToken) {
      add(node, 'first-conjunct-dropped', right, place);
      add(node, 'last-conjunct-dropped', left, place);
    }
  }

  function call(node, place) {
    const callee = node.expression;
    if (!ts.isPropertyAccessExpression(callee)) return;
    // Parentheses would end an optional chain early.
    if (ts.isOptionalChain(node)) return;
    const method = callee.name.text;
    if (STEPS.has(method)) add(node, `${method}-dropped`, say(callee.expression), place);
    const opposite = OPPOSITES.get(method);
    if (opposite && node.arguments.length > 0) {
      const before = text.slice(node.getStart(source), callee.name.getStart(source));
      add(node, `${method}-becomes-${opposite}`, `${before}${opposite}${text.slice(callee.name.end, node.end)}`, place);
    }
    if (FINDERS.has(method)) add(node, 'fallback-widened', `${say(node)} ?? ${say(callee.expression)}.at(0)`, place);
    const test = node.arguments[0];
    if (PREDICATES.has(method) && test && ts.isArrowFunction(test) && !ts.isBlock(test.body)) {
      add(test.body, 'predicate-negated', `!(${say(test.body)})`, place);
    }
  }

  /** Removes one element, chosen by a hash of the list's text. Lists of one element are left to other operators. */
  function list(node, place) {
    const { elements } = node;
    if (elements.length < 2 || elements.some(ts.isOmittedExpression)) return;
    // The target of an assignment is no list.
    if (ts.isBinaryExpression(node.parent) && node.parent.left === node) return;
    const left = Number.parseInt(sha(say(node)).slice(0, 8), 16) % elements.length;
    const kept = elements.filter((_, index) => index !== left).map(say);
    add(node, 'element-dropped', `[${kept.join(', ')}]`, place);
  }

  function statement(node, place) {
    const expression = ts.isAwaitExpression(node.expression) ? node.expression.expression : node.expression;
    const acts =
      ts.isCallExpression(expression) ||
      ts.isDeleteExpression(expression) ||
      ts.isPostfixUnaryExpression(expression) ||
      (ts.isBinaryExpression(expression) && expression.operatorToken.kind >= SyntaxKind.FirstAssignment);
    if (acts && !say(expression).startsWith('super(')) add(node, 'statement-removed', '', place, 'statement');
  }

  function visit(node, place) {
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
    if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return;
    if (ts.isPropertyAssignment(node) && WORDING.has(nameOf(node))) return;
    const holds = ts.isFunctionLike(node) || ts.isVariableDeclaration(node) || ts.isClassDeclaration(node);
    const here = (holds && nameOf(node)) || place;
    const unseen = isUnseen(node, file);
    if (ts.isIfStatement(node)) {
      add(node.expression, 'condition-negated', `!(${say(node.expression)})`, here);
      if (!node.elseStatement && !unseen && leaves(node.thenStatement))
        add(node.expression, 'guard-removed', 'false', here);
    } else if (unseen) return;
    else if (ts.isConditionalExpression(node)) {
      add(node.condition, 'condition-negated', `!(${say(node.condition)})`, here);
    } else if (ts.isBinaryExpression(node)) binary(node, here);
    else if (ts.isCallExpression(node)) call(node, here);
    else if (ts.isExpressionStatement(node)) statement(node, here);
    else if (ts.isArrayLiteralExpression(node)) list(node, here);
    else if (ts.isSpreadElement(node)) add(node.expression, 'spread-dropped', '[]', here);
    else if (ts.isSpreadAssignment(node)) add(node.expression, 'spread-dropped', '{}', here);
    else if (node.kind === SyntaxKind.TrueKeyword) add(node, 'true-becomes-false', 'false', here);
    else if (node.kind === SyntaxKind.FalseKeyword) add(node, 'false-becomes-true', 'true', here);
    else if (ts.isNumericLiteral(node) && node.parent.name !== node)
      add(node, 'number-plus-one', `${node.text} + 1`, here);
    ts.forEachChild(node, (child) => visit(child, here));
  }
  visit(source, '-');
  return faults.sort((one, other) => one.start - other.start || other.end - one.end);
}

const overlap = (one, other) => one.file === other.file && one.start < other.end && other.start < one.end;

/**
 * Samples `count` faults, distributed over the parts in proportion to their sizes. Selection is by a hash of seed and
 * id, so that edits elsewhere do not change it. Selected faults never overlap.
 */
export function sample(parts, count, seed) {
  const total = parts.reduce((sum, faults) => sum + faults.length, 0);
  return parts.flatMap((faults) => {
    const wanted = Math.min(faults.length, Math.max(1, Math.round((count * faults.length) / Math.max(1, total))));
    const ranked = faults
      .map((fault) => ({ fault, rank: sha(`${seed} ${fault.id}`) }))
      .sort((a, b) => (a.rank < b.rank ? -1 : 1));
    const taken = [];
    for (const { fault } of ranked) {
      if (taken.length === wanted) break;
      if (!taken.some((other) => overlap(fault, other))) taken.push(fault);
    }
    return taken;
  });
}

/**
 * The text with each `{ number, fault }` in it; it behaves as the original except where `fault(number)` returns true.
 */
export function withFaults(text, numbered, runtime) {
  let seeded = text;
  for (const { number, fault } of [...numbered].sort((one, other) => other.fault.start - one.fault.start)) {
    const sound = seeded.slice(fault.start, fault.end);
    const both =
      fault.form === 'statement'
        ? `{ if (!seededFault(${number})) { ${sound} } }`
        : `(seededFault(${number}) ? (${fault.faulty}) : (${sound}))`;
    seeded = seeded.slice(0, fault.start) + both + seeded.slice(fault.end);
  }
  return `import { fault as seededFault } from '${runtime}'; ${seeded}`;
}

/** Whether the text parses as TypeScript; types are not checked. */
export function compiles(text) {
  return (
    ts.transpileModule(text, { reportDiagnostics: true, compilerOptions: { target: 'es2022' } }).diagnostics.length ===
    0
  );
}

/** Parses the list of faults that need not be caught: an id at the beginning of a line, its reason indented below. */
export function reasonsIn(text) {
  const reasons = new Map();
  let id;
  for (const line of text.split('\n')) {
    if (line.startsWith('src/')) {
      id = line.trim();
      reasons.set(id, '');
    } else if (id && line.startsWith('  ')) reasons.set(id, `${reasons.get(id)} ${line.trim()}`.trim());
    else id = undefined;
  }
  return reasons;
}
