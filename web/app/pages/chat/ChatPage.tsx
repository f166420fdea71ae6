/**
 * A working team in three panels: its members, its conversation, and its plan, tasks and artifacts.
 * @packageDocumentation
 */
import { useMemo } from 'react';
import type { Answer } from '#surfaces/http/contract.js';
import { act } from '../../data/api.js';
import { resourceOf, teamsResource, useResource } from '../../data/resource.js';
import { addressOf, goTo, useRoute } from '../../data/route.js';
import { useRefusal } from '../../data/visitor.js';
import { CopyIcon } from '../../shell/CopyIcon.js';
import { Failure, Skeleton } from '../../shell/Skeleton.js';
import { Conversation } from './Conversation.js';
import { Members } from './Members.js';
import { ASK_MS, type TeamRow } from './stored-team.js';
import { Work } from './Work.js';
import './chat.css';

export default function ChatPage() {
  const { answer, error } = useResource(teamsResource, ASK_MS);
  return (
    <div className="chat">
      {answer !== undefined ? (
        <Panels {...answer} />
      ) : error !== undefined ? (
        <Failure error={error} />
      ) : (
        <Skeleton rows={6} />
      )}
    </div>
  );
}

/** Shows the team of the address, else the one in use, else the one with the latest message. */
function Panels({ teams, current, latest }: Answer<'team.list'>) {
  const { item } = useRoute();
  const mayChoose = useRefusal() === undefined;
  const selected =
    teams.find(({ name }) => name === item) ??
    teams.find(({ id }) => id === current) ??
    teams.find(({ id }) => id === latest) ??
    teams[0];
  if (selected === undefined)
    return (
      <div className="empty empty-page">
        <p>No team yet. Write to a team here: its leader plans, its members work, and you review.</p>
        <p>
          <a className="link" href={addressOf({ place: 'team', view: 'members' })}>
            Cast a team for this project
          </a>
          , or create an empty one in a terminal. <CopyIcon text={CREATE} />
        </p>
      </div>
    );
  const choose = async (name: string) => {
    goTo({ place: 'team', view: 'chat', item: name });
    if (mayChoose) await act('team.use', { team: name });
  };
  return <Team key={selected.id} teams={teams} selected={selected} onChoose={choose} />;
}

const CREATE = 'troupe team create "Airlock" --leader Ripley';

interface TeamProps {
  readonly teams: readonly TeamRow[];
  readonly selected: TeamRow;
  onChoose(name: string): Promise<void>;
}

function Team({ teams, selected, onChoose }: TeamProps) {
  const resource = useMemo(() => resourceOf('team.show', { team: selected.id }), [selected.id]);
  const { answer, error } = useResource(resource, ASK_MS);
  if (answer === undefined || !('name_auto' in answer))
    return error === undefined ? <Skeleton rows={6} /> : <Failure error={error} />;
  return (
    <div className="chat-panels">
      <Members teams={teams} team={answer} onChoose={onChoose} />
      <Conversation team={answer} />
      <Work team={answer} />
    </div>
  );
}
