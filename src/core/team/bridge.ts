import type { Agency } from '#core/agency/agency.js';
import type { Agent, Entity, Role, Tradeoff } from '#core/agency/entities.js';
import { type Maker, newAgent, newRole, newTradeoff, type TradeoffDraft } from '#core/agency/entity-edits.js';
import { agentText, fileText, idOf, roleText, tradeoffText } from '#core/agency/entity-text.js';
import type { Archetype } from '#core/catalog/catalog.js';
import { TroupeError } from '#kernel/errors.js';
import type { FileChange } from './file-change.js';

const FOLDERS = { role: 'roles', tradeoff: 'tradeoffs', agent: 'agents' } as const;

/**
 * What makes a member of the team an agent of the agency: a role of what the archetype does, the trade-off it usually has,
 * and an agent of both. What is there already is used; members who are alike are the same agent.
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

  /** The id of the agent that members of this archetype are. */
  agentFor(archetype: Archetype): string {
    const role = this.role(archetype);
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

  /** The files of those that were not there. */
  get changes(): FileChange[] {
    return [...this.created.values()].map((entity) => ({
      kind: 'create',
      path: `.workgraph/agency/${FOLDERS[entity.kind]}/${entity.id}.yaml`,
      text: fileText(entity),
    }));
  }

  private role(archetype: Archetype): Role {
    const { title, summary, capabilities, desired_outcome, domain } = archetype;
    const bespoke = domain === 'bespoke' && summary !== title;
    const content = {
      description: bespoke ? `${title}\n${summary}` : summary,
      skills: capabilities.map((name) => ({ name })),
      desired_outcome,
    };
    return this.findOrCreate<Role>('role', idOf(roleText(content)), () =>
      newRole(this.agency, { name: title, ...content }, this.maker),
    );
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
