import type { Agency } from '#core/agency/agency.js';
import type { Agent, Entity, Role, Tradeoff } from '#core/agency/entities.js';
import { type Maker, newAgent, newRole, newTradeoff, type TradeoffDraft } from '#core/agency/entity-edits.js';
import { agentText, fileText, idOf, type RoleIdentity, roleText, tradeoffText } from '#core/agency/entity-text.js';
import type { Archetype } from '#core/catalog/catalog.js';
import type { Registry } from '#core/squad/registry.js';
import { TroupeError } from '#kernel/errors.js';
import type { FileChange } from '#kernel/file-change.js';
import { FROM_PROJECT } from '#kernel/graph-folder.js';
import { compareText } from '#kernel/order.js';

const FOLDERS = { role: 'roles', tradeoff: 'tradeoffs', agent: 'agents' } as const;

/** What a role of the agency says of an archetype: from this its id follows. */
export function roleContent(archetype: Archetype): RoleIdentity {
  const { title, summary, capabilities, desired_outcome, domain } = archetype;
  const bespoke = domain === 'bespoke' && summary !== title;
  return {
    description: bespoke ? `${title}\n${summary}` : summary,
    skills: capabilities.map((name) => ({ name })),
    desired_outcome,
  };
}

/**
 * What makes a member of the team an agent of the agency: a role of what the archetype does, the trade-off it usually has,
 * and an agent of both. What is there already is used; members who are alike are the same agent. An archetype whose text changed makes a
 * child of the role it made before.
 */
export class Bridge {
  private readonly agency: Agency;
  private readonly shipped: readonly TradeoffDraft[];
  private readonly maker: Maker;
  private readonly created = new Map<string, Entity>();

  /** `shipped`: the trade-offs that archetypes name, in our own words. */
  constructor(agency: Agency, shipped: readonly TradeoffDraft[], maker: Maker) {
    this.agency = agency;
    this.shipped = shipped;
    this.maker = maker;
  }

  /** The id of the agent that members of this archetype are. `registry`: who was cast before. */
  agentFor(archetype: Archetype, registry: Registry): string {
    const role = this.role(archetype, registry);
    const tradeoff = this.tradeoff(archetype.default_tradeoff);
    const id = idOf(agentText(role.id, tradeoff.id));
    const agent = this.findOrCreate<Agent>('agent', id, () =>
      newAgent(
        this.agency,
        {
          name: `${tradeoff.name} ${archetype.title}`,
          ...{ role_id: role.id, tradeoff_id: tradeoff.id, capabilities: archetype.capabilities },
          ...{ trust_level: 'provisional', executor: 'claude' },
        },
        false,
        this.maker,
      ),
    );
    return agent.id;
  }

  /** Those that were not there. */
  get made(): readonly Entity[] {
    return [...this.created.values()];
  }

  /** Their files. */
  get changes(): FileChange[] {
    return this.made.map((entity) => ({
      kind: 'create',
      path: `${FROM_PROJECT.agency}/${FOLDERS[entity.kind]}/${entity.id}.yaml`,
      text: fileText(entity),
    }));
  }

  private role(archetype: Archetype, registry: Registry): Role {
    const content = roleContent(archetype);
    return this.findOrCreate<Role>('role', idOf(roleText(content)), () => {
      const earlier = this.earlierRole(archetype, registry);
      const maker = earlier === undefined ? this.maker : { ...this.maker, parents: [earlier] };
      return newRole(this.agency, { name: archetype.title, ...content }, maker);
    });
  }

  /** The role that members of this archetype had when its text was another: the youngest of them. */
  private earlierRole({ id }: Archetype, { records }: Registry): Role | undefined {
    return records
      .flatMap(({ archetypeId, agentId }) => {
        const agent = archetypeId === id && agentId !== undefined ? this.agency.agent(agentId) : undefined;
        return (agent && this.agency.role(agent.role_id)) ?? [];
      })
      .sort((left, right) => right.lineage.generation - left.lineage.generation || compareText(left.id, right.id))[0];
  }

  private tradeoff(name: string): Tradeoff {
    const draft = this.shipped.find((one) => one.name.toLowerCase() === name);
    if (!draft) throw new TroupeError('catalog_invalid', { what: `data/agency has no trade-off called ${name}.` });
    return this.findOrCreate<Tradeoff>('tradeoff', idOf(tradeoffText(draft)), () =>
      newTradeoff(this.agency, draft, this.maker),
    );
  }

  private findOrCreate<One extends Entity>(kind: One['kind'], id: string, make: () => One): One {
    const there = this.agency.entity(kind, id) ?? this.created.get(`${kind} ${id}`);
    if (there) return there as One;
    const entity = make();
    this.created.set(`${kind} ${id}`, entity);
    return entity;
  }
}
