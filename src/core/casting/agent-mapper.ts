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

/** Returns the content of an agency role for an archetype. The role's id is derived from it. */
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
 * Maps archetypes of team members to agents of the agency: a role with the archetype's content, its default trade-off,
 * and an agent that combines the two. Existing entities are reused, and members with the same role and trade-off share
 * one agent. An archetype whose text has changed yields a child of the role it produced before.
 */
export class AgentMapper {
  private readonly agency: Agency;
  private readonly shipped: readonly TradeoffDraft[];
  private readonly maker: Maker;
  private readonly created = new Map<string, Entity>();

  /** `shipped`: the shipped trade-offs that archetypes refer to by name. */
  constructor(agency: Agency, shipped: readonly TradeoffDraft[], maker: Maker) {
    this.agency = agency;
    this.shipped = shipped;
    this.maker = maker;
  }

  /**
   * Returns the id of the agent for members of this archetype. `registry` contains earlier members, from which a parent
   * role is looked up.
   */
  agentFor(archetype: Archetype, registry: Registry): string {
    const role = this.findOrCreateRole(archetype, registry);
    const tradeoff = this.tradeoff(archetype.default_tradeoff);
    const id = idOf(agentText(role.id, tradeoff.id));
    const agent = this.findOrCreate<Agent>('agent', id, () =>
      newAgent(
        this.agency,
        {
          name: `${tradeoff.name} ${archetype.title}`,
          role_id: role.id,
          tradeoff_id: tradeoff.id,
          capabilities: archetype.capabilities,
          trust_level: 'provisional',
          executor: 'claude',
        },
        false,
        this.maker,
      ),
    );
    return agent.id;
  }

  /** Entities created because the agency did not contain them. */
  get createdEntities(): readonly Entity[] {
    return [...this.created.values()];
  }

  /** File changes that create the new entities. */
  get changes(): FileChange[] {
    return this.createdEntities.map((entity) => ({
      kind: 'create',
      path: `${FROM_PROJECT.agency}/${FOLDERS[entity.kind]}/${entity.id}.yaml`,
      text: fileText(entity),
    }));
  }

  private findOrCreateRole(archetype: Archetype, registry: Registry): Role {
    const content = roleContent(archetype);
    return this.findOrCreate<Role>('role', idOf(roleText(content)), () => {
      const earlier = this.earlierRole(archetype, registry);
      const maker = earlier === undefined ? this.maker : { ...this.maker, parents: [earlier] };
      return newRole(this.agency, { name: archetype.title, ...content }, maker);
    });
  }

  /** Returns the role that members of this archetype had before its text changed: the one of the latest generation. */
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
