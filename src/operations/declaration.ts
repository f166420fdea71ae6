import type { ModelPurpose } from '#core/settings/model-choice.js';
import type { TokenScope } from '#ports/callers.js';
import type { Group } from './groups.js';
import type { ResourceAddress } from './resource-address.js';

/** A question to a model that a call may cause, as plain data. */
export interface AsksModel<Field extends string = string> {
  readonly purpose: ModelPurpose;
  /** Asked only if this field is set. */
  readonly when?: Field;
  /** Not asked if one of these fields has this value. */
  readonly unless?: readonly (readonly [field: Field, value: unknown])[];
  /** Arguments, as typed, that avoid the model. */
  readonly without?: string;
}

/** Plain data of an operation for people and surfaces, next to its schemas and its code. */
export interface Declaration<Name extends string = string, Field extends string = string> {
  readonly name: Name;
  /** Command words, for example `add` or `cast propose`. */
  readonly command: string;
  /** Shorter form of the command, valid if no argument follows; flags may follow. */
  readonly shorter?: string;
  readonly group: Group;
  readonly summary: string;
  /** Two commands that work when pasted. */
  readonly examples: readonly string[];
  /** Reads are allowed with GET; writes change state. */
  readonly kind: 'read' | 'write';
  /**
   * Permission for runs to call a write; undefined for people only. `own`: for tasks that the run holds or created,
   * named by the field `id`; `any`: it names no task, or checks the caller itself.
   */
  readonly forRuns?: 'own' | 'any';
  /**
   * Least scope that a token needs to call a write. Default: `member` with `forRuns: 'own'`, else `owner`, so an act
   * that is added later is the owner's until its declaration says otherwise.
   */
  readonly scope?: Exclude<TokenScope, 'observer' | 'owner'>;
  /**
   * Process that executes it. `engine` (default): the running service, which holds the graph in memory, or else this
   * process. `caller`: always the calling process, because it takes long or touches no shared state. `service`: only a
   * running service; without one it is refused.
   */
  readonly where?: 'engine' | 'caller' | 'service';
  /** `here`: it applies to the working directory, not to the project around it. */
  readonly place?: 'here';
  /** It needs a coordinator: without a service, one is created for this call, which starts nothing else. */
  readonly coordinator?: true;
  /** It may ask a model; the caller is first told which one. */
  readonly asks?: AsksModel;
  /** Name of its progress event. */
  readonly tells?: string;
  /**
   * It may write outside of `.squad/`: it takes the fields `clients` and `outside` (`squad/outside-files.ts`), and is
   * called with them.
   */
  readonly writesOutside?: true;
  /** It changes the trust of the machine that executes it, so it is rejected from other machines. */
  readonly trusts?: true;
  /**
   * It reads about the person and not about the project: it answers on this machine to the person alone, who is proven as
   * for a change.
   */
  readonly personal?: true;
  /** It works without a graph. */
  readonly graphless?: true;
  /**
   * Command that stands for this one, with the words or flags that choose it there: people find that one. The own
   * command is an older name, which still works and names this one.
   */
  readonly instead?: string;
  /** Agents, git or hooks of clients type its command: it works, but people do not come across it. */
  readonly forPrograms?: true;
  /** Addresses over HTTP beside `/api/NAME`, as resources. */
  readonly resource?: readonly ResourceAddress<Field>[];
  /** It has no command of its own: pages and other commands call it by name. */
  readonly unlisted?: true;
}

/** The part of an operation or request that determines who may use it. The rows of all tables have these fields. */
export type Act = Pick<Declaration, 'command' | 'kind' | 'forRuns' | 'scope' | 'personal'>;

/** Whether its caller has to be proven: a claim suffices for a read, unless that is the person's alone. */
export function needsProof({ kind, personal }: Act): boolean {
  return kind === 'write' || personal === true;
}

/** Whether only a person may use it: its caller has to be proven, and no spec allows it to runs. */
export function isForPeopleOnly(act: Act): boolean {
  return needsProof(act) && act.forRuns === undefined;
}

/** Least scope that an act needs. */
export function scopeOf(act: Act): TokenScope {
  if (!needsProof(act)) return 'observer';
  const { forRuns, scope } = act;
  return scope ?? (forRuns === 'own' ? 'member' : 'owner');
}
