import type { Context } from '#operations/operation.js';
import type { ExclusiveGraph, HoldOptions } from '#ports/graph-store.js';
import type {
  ChosenDatabase,
  DatabaseStatus,
  DatabaseStorage,
  KeptRow,
  StorageState,
  Storages,
} from '#ports/storage.js';
import { world } from '../../e2e/world.js';

/** A place in memory that keeps the lines and rows of a project, and records what is done with it. */
export class KeptInMemory {
  readonly done: string[];
  readonly words: string;
  state: StorageState;
  lines: string[];
  rows: KeptRow[];
  elsewhere: string[] = [];
  /** Loses the last line of what it receives. */
  forgetful = false;
  held: HoldOptions | undefined;
  refusesHold: Error | undefined;
  /** The graph while it is held. */
  readonly own = world();

  constructor(words: string, done: string[], state: StorageState, lines: readonly string[] = [], rows: KeptRow[] = []) {
    this.words = words;
    this.done = done;
    this.state = state;
    this.lines = [...lines];
    this.rows = rows;
  }

  get storage(): DatabaseStorage {
    const note = (act: string) => this.done.push(`${act} ${this.words}`);
    const status = (): DatabaseStatus => ({
      ...{ place: 'db.example.org:5432/troupe', server: '15.8', state: this.state, tables: 'current' },
      ...{ seq: this.lines.length, epoch: 3, leader: undefined, reading: undefined },
    });
    return {
      words: this.words,
      state: async () => this.state,
      standing: async () => status(),
      runsElsewhere: async () => this.elsewhere,
      prepare: async () => {
        note('prepare');
        [this.lines, this.rows] = [[], []];
      },
      rolesSql: () => 'CREATE ROLE',
      migrate: async () => {
        note('migrate');
        this.state = 'empty';
        return { steps: ['0001.sql'], missingRoles: ['viewer'] };
      },
      rows: () => each(this.rows),
      receive: async (project: Parameters<DatabaseStorage['receive']>[0]) => {
        note('receive');
        for await (const line of project.lines) this.lines.push(line);
        for await (const row of project.rows) this.rows.push(row);
        if (this.forgetful) this.lines.pop();
      },
      graph: {
        lines: () => each(this.lines),
        hold: async (options: HoldOptions) => {
          if (this.refusesHold) throw this.refusesHold;
          this.held = options;
          note('hold');
          const held: Partial<ExclusiveGraph> = {
            view: () => this.own.store.view(),
            retire: async () => void note('retire'),
            close: async () => void note('release'),
          };
          return held;
        },
      },
    } as unknown as DatabaseStorage;
  }
}

async function* each<Item>(items: readonly Item[]): AsyncIterable<Item> {
  yield* items;
}

/** A project between its files and its databases, by the name of each. */
export function moving(options: {
  readonly done: string[];
  readonly named?: string;
  readonly chosen?: ChosenDatabase;
  readonly files?: KeptInMemory;
  readonly databases?: Readonly<Record<string, KeptInMemory>>;
  readonly folder?: string;
}): { readonly context: Context; readonly asked: ChosenDatabase[] } {
  const { done, named, chosen, databases = {} } = options;
  const asked: ChosenDatabase[] = [];
  const storages = {
    named,
    choice: {
      read: () => chosen,
      choose: async (choice: ChosenDatabase) => void done.push(`choose ${JSON.stringify(choice)}`),
      forget: async () => void done.push('forget'),
    },
    files: options.files?.storage,
    database: async (choice: ChosenDatabase) => {
      asked.push(choice);
      return databases[choice.address ?? '']?.storage;
    },
  } as unknown as Storages;
  const context: Context = {
    ...world().context,
    projectFolder: options.folder ?? '/projects/My Shop',
    storages: async () => storages,
    settings: async () => ({
      name: 'config.toml',
      read: async () => ({}),
      set: async (changes) => {
        done.push(`set ${JSON.stringify(changes)}`);
        return { kept: true };
      },
    }),
  };
  return { context, asked };
}

/** Its refusal: the code, the sentence, and the details. */
export async function refused(work: Promise<unknown>): Promise<unknown> {
  return await work.then(
    () => 'accepted',
    ({ code, message, details }) => ({ code, message, details }),
  );
}
