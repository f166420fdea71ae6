import type { RoleRegistry, RowStatus } from '#core/roles/lane.js';
import { compareText } from '#kernel/order.js';
import { coreOf } from './line-up.js';
import type { SeatRecord } from './record.js';

/** A role that could take over a phase: a row of the crew, or a core role without a row there. */
export interface Talent {
  readonly name: string;
  /** `none` for a core role without a row: it gets one when it takes a seat. */
  readonly status: RowStatus | 'none';
  /** `owns:` of its row; empty if there is none. */
  readonly owns: string;
  /** Charter and triggers of its core role; empty for a local role. */
  readonly about: string;
  readonly tier: string | undefined;
  readonly tools: string | undefined;
  readonly core: string | undefined;
}

/** All roles of a repository that a crew could use, by name; includes retired ones, as their names are taken. */
export function crewTalent(registry: RoleRegistry): Talent[] {
  const rows = registry.rows.crew.map((row): Talent => {
    const core = coreOf(registry, row);
    return {
      name: row.name,
      status: row.status,
      owns: row.fields.get('owns') ?? '',
      core: core?.name,
      about: core === undefined ? '' : [core.charter, ...core.whenToUse].join(' '),
      tier: row.fields.get('model') || undefined,
      tools: row.fields.get('tools') || undefined,
    };
  });
  const taken = new Set(rows.flatMap(({ name, core = name }) => [name, core]));
  const others = [...registry.cores.values()].filter(({ name }) => !taken.has(name));
  const cores = others.map(
    ({ name, charter, whenToUse }): Talent => ({
      name,
      status: 'none',
      owns: '',
      about: [charter, ...whenToUse].join(' '),
      core: name,
      tier: undefined,
      tools: undefined,
    }),
  );
  return [...rows, ...cores].sort((left, right) => compareText(left.name, right.name));
}

/** Seat of the role; a core role without a row gets one, with the model of the role it relieves. */
export function seatOfTalent({ name, status, owns, tier, tools, core }: Talent, relieved: SeatRecord): SeatRecord {
  const model = status === 'none' ? relieved.tier : tier;
  return {
    name,
    ...(core === undefined ? {} : { core }),
    ...(model === undefined ? {} : { tier: model }),
    ...(tools === undefined ? {} : { tools }),
    ...(owns === '' ? {} : { owns }),
    ...(status === 'none' ? { minted: true } : {}),
  };
}
