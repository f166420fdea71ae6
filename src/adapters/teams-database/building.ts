// Statements are written with Kysely, which type-checks tables and columns. Only files named `…-statements.ts` import
// this module; the build evaluates them and keeps the exported statements, so the program itself contains no Kysely.
import {
  type Compilable,
  createQueryId,
  DummyDriver,
  Kysely,
  type OperationNodeSource,
  type RootOperationNode,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import type { Columns } from './columns.js';
import type { Statement } from './statement.js';

class Parameter {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

const PARAMETERS: unknown = new Proxy({}, { get: (_, name) => new Parameter(String(name)) });
/** Placeholder for a value; occurs in no statement. */
const GAP = '\0';

/** Compiles to SQL for both databases. Constants are inlined because partial indexes match only constants. */
class Compiler extends SqliteQueryCompiler {
  protected override getCurrentParameterPlaceholder(): string {
    return GAP;
  }

  protected override appendValue(value: unknown): void {
    if (value instanceof Parameter) super.appendValue(value);
    else this.appendImmediateValue(value);
  }
}

/** Entry point for building statements; not connected to a database. */
export const db = new Kysely<Columns>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (database) => new SqliteIntrospector(database),
    createQueryCompiler: () => new Compiler(),
  },
});

/** Compiles a statement. `build` receives parameters in place of values; other compared values are inlined. */
export function statement<Values, Row>(
  build: (values: Values) => Compilable<Row> & OperationNodeSource,
): Statement<Values, Row> {
  const node = build(PARAMETERS as Values).toOperationNode() as RootOperationNode;
  const { sql, parameters } = new Compiler().compileQuery(node, createQueryId());
  return {
    text: sql.split(GAP),
    of: (parameters as Parameter[]).map(({ name }) => name as keyof Values & string),
    answers: node.kind === 'SelectQueryNode' || ('returning' in node && node.returning !== undefined),
  };
}
