import { inert, plural } from '#kernel/text.js';
import type { OrganisationAnswer } from '#surfaces/http/contract.js';
import { Resource, useResource } from '../../data/resource.js';
import { Command } from '../../drawer/Command.js';

type Agent = OrganisationAnswer['agents'][number];

/** Larger organisations start folded: on a narrow screen they would push the messages down. */
const OPEN_MOST = 20;

const organisationResource = new Resource<OrganisationAnswer>('organisation');

/** Participants of the roster configuration, below their leads; renders nothing without a configuration. */
export function Organisation() {
  const { answer } = useResource(organisationResource);
  if (answer === undefined || answer.agents.length === 0) return null;
  const agents = new Map(answer.agents.map((agent) => [agent.id, agent]));
  const led = new Set(answer.agents.flatMap(({ id, writes_to }) => writes_to.filter((other) => other !== id)));
  const top = answer.agents.filter(({ id }) => !led.has(id));
  return (
    <details className="chat-organisation" open={answer.agents.length <= OPEN_MOST}>
      <summary>Organisation</summary>
      <ul className="org" aria-label="Who leads whom">
        {top.map((agent) => (
          <Branch key={agent.id} agent={agent} agents={agents} above={[]} />
        ))}
      </ul>
      {answer.more === 0 ? null : <p className="muted">And {plural(answer.more, 'other')}.</p>}
      {answer.problems === 0 ? null : (
        <p className="muted">The configuration has {plural(answer.problems, 'problem')}.</p>
      )}
      <Command text="troupe roster check" />
    </details>
  );
}

interface BranchProps {
  readonly agent: Agent;
  readonly agents: ReadonlyMap<string, Agent>;
  /** Leads above this agent, from the top; in a cycle each is listed once. */
  readonly above: readonly string[];
}

function Branch({ agent, agents, above }: BranchProps) {
  const { id, name, writes_to } = agent;
  const below = writes_to.flatMap((other) => (above.includes(other) || other === id ? [] : (agents.get(other) ?? [])));
  const people = writes_to.filter((other) => other.startsWith('human/'));
  return (
    <li>
      <span className="org-person" title={inert(id)}>
        <strong>{inert(name)}</strong>{' '}
        <span className="muted">{people.map((person) => inert(person.slice('human/'.length))).join(', ')}</span>
      </span>
      {below.length === 0 ? null : (
        <ul>
          {below.map((one) => (
            <Branch key={one.id} agent={one} agents={agents} above={[...above, id]} />
          ))}
        </ul>
      )}
    </li>
  );
}
