import { CommandEmpty, CommandGroup, CommandInput, CommandItem, CommandList, CommandRoot } from 'cmdk';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { wordOf } from '#core/graph/status-look.js';
import { inert } from '#kernel/text.js';
import { ACT_LOOK, carryOut, tell } from '../data/acts.js';
import { logout } from '../data/api.js';
import { notice } from '../data/notices.js';
import { addressFor, openProject, useOtherProjects, waitingIn } from '../data/projects.js';
import { projectResource, resourceOf, useResource, useSteadyResource } from '../data/resource.js';
import { goTo, openTask, type Route, useRoute } from '../data/route.js';
import { useStore } from '../data/store.js';
import { editTask, newTask } from '../data/task-form.js';
import { chooseTheme, THEMES } from '../data/theme.js';
import { useRefusal } from '../data/visitor.js';
import { joined } from '../pages/tasks/query.js';
import { Glyph } from '../status/Status.js';
import { Dialog } from './Dialog.js';
import { SHOWN } from './places.js';

const HITS_MOST = 12;

interface PartProps {
  readonly search: string;
  /** Closes the palette, then does it. */
  onRun(then: () => void): void;
}

export default function Palette({ onClose, onKeys }: { onClose(): void; onKeys(): void }) {
  const [words, setWords] = useState('');
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []); // a dialog focuses its first part, here the list around the field
  const search = words.trim();
  const onRun = (then: () => void) => {
    onClose();
    then();
  };
  return (
    <Dialog label="Search" className="search-dialog" onClose={onClose}>
      <CommandRoot label="Search" loop shouldFilter={false}>
        <CommandInput
          ref={field}
          placeholder="Task, message, decision, member, page or command"
          value={words}
          onValueChange={setWords}
        />
        <CommandList label="Results" className="hits">
          <CommandEmpty className="muted hits-none">Nothing matches.</CommandEmpty>
          {search === '' ? null : <Tasks search={search} onRun={onRun} />}
          <OpenTask search={search} onRun={onRun} />
          <Pages search={search} onRun={onRun} />
          <Projects search={search} onRun={onRun} />
          <Commands search={search} onRun={onRun} onKeys={onKeys} />
          {search === '' ? null : (
            <>
              <Members search={search} onRun={onRun} />
              <Decisions search={search} onRun={onRun} />
              <Messages search={search} onRun={onRun} />
            </>
          )}
        </CommandList>
      </CommandRoot>
    </Dialog>
  );
}

function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <CommandGroup heading={title} className="hit-group">
      {children}
    </CommandGroup>
  );
}

function Hit(props: {
  readonly value: string;
  readonly title: string;
  readonly note?: string | undefined;
  readonly mark?: ReactNode;
  /** Words that it must contain; none if the server has found it. */
  readonly search?: string;
  onSelect(): void;
}) {
  const { value, title, note, mark, search = '', onSelect } = props;
  const text = `${value} ${title}`.toLowerCase();
  if (
    !search
      .toLowerCase()
      .split(/\s+/)
      .every((word) => text.includes(word))
  )
    return null;
  return (
    <CommandItem className="hit" value={value} onSelect={onSelect}>
      {mark}
      <span className="hit-title">{title}</span>
      {note === undefined ? null : <span className="muted">{note}</span>}
    </CommandItem>
  );
}

function Tasks({ search, onRun }: PartProps) {
  const query = useMemo(() => resourceOf('graph.picture', { search, limit: HITS_MOST }), [search]);
  const tasks = useSteadyResource(query).answer?.tasks ?? [];
  if (tasks.length === 0) return null;
  return (
    <Part title="Tasks">
      {tasks.map((task) => (
        <Hit
          key={task.id}
          value={`task ${task.id}`}
          title={inert(task.title)}
          note={wordOf(task.state, task.live, task.check)}
          mark={<Glyph state={task.state} check={task.check} />}
          onSelect={() => onRun(() => openTask(task.id))}
        />
      ))}
    </Part>
  );
}

/** Acts on the task in the drawer. */
function OpenTask({ search, onRun }: PartProps) {
  const { task } = useRoute();
  const mayAct = useRefusal() === undefined;
  return task === undefined || !mayAct ? null : <ActsOn id={task} search={search} onRun={onRun} />;
}

function ActsOn({ id, search, onRun }: PartProps & { readonly id: string }) {
  const query = useMemo(() => resourceOf('task.destinations', { id }), [id]);
  const moves = new Set((useResource(query).answer?.destinations ?? []).flatMap(({ move }) => move ?? []));
  const acts = [...moves].filter(
    (move) => ACT_LOOK[move].words === undefined && ACT_LOOK[move].consequence === undefined,
  );
  const perform = (act: (typeof acts)[number]) =>
    carryOut({ act, id }).then(
      (deed) => tell(act, inert(id), deed, () => undefined),
      (error: unknown) => notice.set({ text: error instanceof Error ? error.message : String(error) }),
    );
  return (
    <Part title="Open task">
      <Hit
        search={search}
        value={`edit ${id}`}
        title={`Edit ${inert(id)}`}
        onSelect={() => onRun(() => editTask(id))}
      />
      {acts.map((act) => (
        <Hit
          key={act}
          search={search}
          value={`${ACT_LOOK[act].label} ${id}`}
          title={`${ACT_LOOK[act].label} ${inert(id)}`}
          onSelect={() => onRun(() => void perform(act))}
        />
      ))}
    </Part>
  );
}

/** Every page that has an address of its own. */
const PAGES = SHOWN.flatMap(({ place, label, key, views }): { title: string; keys: string; route: Route }[] => {
  const tabs = views.filter(({ tab }) => tab !== undefined);
  if (tabs.length < 2) return [{ title: label, keys: `g ${key}`, route: { place } }];
  return tabs.map(({ name, tab, key: own }) => ({
    title: `${label}: ${tab}`,
    keys: own === undefined ? '' : `g ${own}`,
    route: { place, view: name },
  }));
});

function Pages({ search, onRun }: PartProps) {
  return (
    <Part title="Go to">
      {PAGES.map(({ title, keys, route }) => (
        <Hit
          key={title}
          search={search}
          value={`go to ${title}`}
          title={title}
          note={keys}
          onSelect={() => onRun(() => goTo(route))}
        />
      ))}
    </Part>
  );
}

/** Other projects of the person; each leads to its dashboard. */
function Projects(props: PartProps) {
  const { answer } = useStore(projectResource.state);
  return answer?.visitor === 'person' ? <OtherProjects {...props} /> : null;
}

function OtherProjects({ search, onRun }: PartProps) {
  const { others = [] } = useOtherProjects();
  if (others.length === 0) return null;
  return (
    <Part title="Projects">
      {others.map((project) => (
        <Hit
          key={project.folder}
          search={search}
          value={`project ${project.folder}`}
          title={inert(project.name)}
          note={addressFor(project) === null ? 'copy its command' : waitingIn(project)}
          onSelect={() => onRun(() => void openProject(project))}
        />
      ))}
    </Part>
  );
}

function Commands({ search, onRun, onKeys }: PartProps & { onKeys(): void }) {
  const mayAct = useRefusal() === undefined;
  return (
    <Part title="Do">
      {mayAct ? (
        <Hit search={search} value="new task add" title="New task" note="n" onSelect={() => onRun(newTask)} />
      ) : null}
      <Hit search={search} value="keys keyboard help" title="Keys" note="?" onSelect={() => onRun(onKeys)} />
      {THEMES.map((name) => (
        <Hit
          key={name}
          search={search}
          value={`theme ${name}`}
          title={`Theme: ${name}`}
          onSelect={() => onRun(() => chooseTheme(name))}
        />
      ))}
      <Hit
        search={search}
        value="log out"
        title="Log out"
        onSelect={() => onRun(() => void logout().finally(() => location.reload()))}
      />
    </Part>
  );
}

const choices = resourceOf('graph.choices', {});

/** Members and tags of tasks; each leads to its tasks. */
function Members({ search, onRun }: PartProps) {
  const { answer } = useResource(choices);
  if (answer === undefined) return null;
  return (
    <Part title="Tasks of">
      {(['member', 'playbook', 'tag'] as const).flatMap((property) =>
        answer[property].map(({ value, count }) => (
          <Hit
            key={`${property} ${value}`}
            search={search}
            value={`${property} ${value}`}
            title={inert(value)}
            note={`${property}, ${count}`}
            onSelect={() =>
              onRun(() => goTo({ place: 'tasks', view: 'table', filters: { [property]: joined([value]) } }))
            }
          />
        )),
      )}
    </Part>
  );
}

const decisions = resourceOf('decision.list', { status: 'active' });

/** Decisions in force; each leads to its text. */
function Decisions({ search, onRun }: PartProps) {
  const rows = useResource(decisions).answer?.decisions ?? [];
  return (
    <Part title="Decisions">
      {rows.map(({ number, title }) => (
        <Hit
          key={number}
          search={search}
          value={`decision ${number}`}
          title={inert(title)}
          note={`decision ${number}`}
          onSelect={() => onRun(() => goTo({ place: 'team', view: 'decisions', filters: { at: String(number) } }))}
        />
      ))}
    </Part>
  );
}

/** Messages about tasks and of teams; each leads to where it is read. */
function Messages({ search, onRun }: PartProps) {
  const query = useMemo(() => resourceOf('msg.search', { words: search, limit: HITS_MOST }), [search]);
  const found = useSteadyResource(query).answer?.messages ?? [];
  if (found.length === 0) return null;
  return (
    <Part title="Messages">
      {found.map(({ id, number, from, excerpt, task_id: task, team }) => (
        <Hit
          key={id}
          value={`message ${id}`}
          title={`${inert(from)}: ${inert(excerpt)}`}
          note={inert(task ?? team ?? '')}
          onSelect={() =>
            onRun(() => {
              if (task !== null) openTask(task);
              else if (team !== null)
                goTo({ place: 'team', view: 'chat', item: team, filters: { at: String(number) } });
            })
          }
        />
      ))}
    </Part>
  );
}
