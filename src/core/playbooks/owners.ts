import { gateKind, isGate, type WorkflowNode } from '#core/catalog/workflow.js';
import { numberOf } from '#kernel/numbers.js';
import { cut, inert } from '#kernel/text.js';
import type { CompileInput } from './compiled.js';

export interface StepOwnership {
  readonly member?: string;
  readonly skills?: readonly string[];
  readonly human?: true;
}

/** Archetypes of built-in members by node type; they override the archetype of a step. */
const BUILT_IN: Readonly<Partial<Record<WorkflowNode['type'], string>>> = {
  scribe: 'scribe',
  coordinator_composed: 'coordinator',
};
const SAFETY = 'rai-reviewer';

type Owned = Pick<WorkflowNode, 'label' | 'archetype'>;

/**
 * Assigns steps to members, round robin within an archetype. If no member fits, command steps go to the leader, and
 * other steps stay unowned with their required skills. A gate goes to a member who did none of the reviewed work,
 * otherwise to a person.
 */
export class Owners {
  readonly warnings: string[] = [];
  private readonly input: CompileInput;
  private readonly turns = new Map<string, number>();
  private readonly workers = new Map<string, Set<string>>();

  constructor(input: CompileInput) {
    this.input = input;
  }

  /** `reviewed`: the nodes that a gate reviews. */
  of(node: WorkflowNode, reviewed: readonly string[]): StepOwnership {
    if (isGate(node)) return this.gate(node, reviewed);
    const builtIn = BUILT_IN[node.type];
    if (builtIn !== undefined) return this.worker(node.id, { label: node.label, archetype: builtIn });
    if (node.type === 'run' || node.type === 'fan_in') return this.keeper(node);
    return this.worker(node.id, node);
  }

  /** Next member for a step of the node `id`. The member is recorded as having worked on it. */
  worker(id: string, step: Owned): StepOwnership {
    const archetypes = [step.archetype ?? []].flat();
    const member = this.next(archetypes);
    if (member !== undefined) {
      this.workers.set(id, new Set([...(this.workers.get(id) ?? []), member]));
      return { member };
    }
    const skills = [...new Set(archetypes.flatMap((archetype) => this.input.capabilities?.(archetype) ?? []))];
    if (archetypes.length > 0)
      this.warn(`No one on the team is ${archetypes.join(' or ')}: ${quoted(step)} has no owner.`);
    return skills.length > 0 ? { skills } : {};
  }

  private gate(node: WorkflowNode, reviewed: readonly string[]): StepOwnership {
    const kind = gateKind(node);
    const { leader } = this.input.team;
    if (kind === 'command') return leader === '' ? {} : { member: leader };
    if (kind === 'human-review') return { human: true };
    const archetypes = kind === 'safety' ? [SAFETY] : [node.archetype ?? []].flat();
    const busy = new Set(reviewed.flatMap((id) => [...(this.workers.get(id) ?? [])]));
    const member = this.next(archetypes, busy) ?? (archetypes.length === 0 ? this.anyBut(busy) : undefined);
    if (member !== undefined) return { member };
    if (kind === 'rubberduck') return {};
    const who = archetypes.length === 0 ? 'anybody' : `anybody who is ${archetypes.join(' or ')}`;
    this.warn(`The team does not have ${who} and did none of the work: a person decides ${quoted(node)}.`);
    return { human: true };
  }

  private keeper(node: Owned): StepOwnership {
    const archetypes = [node.archetype ?? []].flat();
    const { leader } = this.input.team;
    const member = this.next(archetypes);
    if (member !== undefined) return { member };
    if (leader === '') return {};
    if (archetypes.length > 0)
      this.warn(`No one on the team is ${archetypes.join(' or ')}: ${leader} takes ${quoted(node)}.`);
    return { member: leader };
  }

  private next(archetypes: readonly string[], except: ReadonlySet<string> = new Set()): string | undefined {
    for (const archetype of archetypes) {
      const able = this.input.team.members.filter(
        (member) => member.archetypeId === archetype && member.status === 'Active' && !except.has(member.name),
      );
      const turn = numberOf(this.turns, archetype);
      const member = able[turn % Math.max(1, able.length)];
      if (!member) continue;
      this.turns.set(archetype, turn + 1);
      return member.name;
    }
    return undefined;
  }

  private anyBut(except: ReadonlySet<string>): string | undefined {
    const helpers = new Set([SAFETY, 'scribe', 'coordinator', 'work-monitor']);
    return this.input.team.members.find(
      ({ name, archetypeId, status }) => status === 'Active' && !except.has(name) && !helpers.has(archetypeId),
    )?.name;
  }

  private warn(warning: string): void {
    if (!this.warnings.includes(warning)) this.warnings.push(warning);
  }
}

function quoted({ label }: Pick<WorkflowNode, 'label'>): string {
  return `“${cut(inert(label), 100)}”`;
}
