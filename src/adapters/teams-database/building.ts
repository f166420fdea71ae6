// How statements are written: with Kysely, which checks tables and columns against their types. Only files named `…-statements.ts`
// import this one; the build runs those and keeps the statements they export, so the program itself contains no Kysely.
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
/** Stands in no statement. */
const GAP = '\0';

/** Both databases read what it writes. Constants stand in the text, where a partial index is found by them. */
class Compiler extends SqliteQueryCompiler {
  protected override getCurrentParameterPlaceholder(): string {
    return GAP;
  }

  protected override appendValue(value: unknown): void {
    if (value instanceof Parameter) super.appendValue(value);
    else this.appendImmediateValue(value);
  }
}

/** Where statements begin. It is connected to nothing. */
export const db = new Kysely<Columns>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (database) => new SqliteIntrospector(database),
    createQueryCompiler: () => new Compiler(),
  },
});

/** Compiles a statement. `build` gets the names of its values in their place; what else it compares with stands in the text. */
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
