// Generates the manual page in man(7) macros; `tooling/reference.mjs` writes it beside the reference.

const LETTERS = new Map([
  ...[
    ['\\', '\\e'],
    ['-', '\\-'],
    ["'", '\\(aq'],
    ['`', '\\(ga'],
    ['^', '\\(ha'],
    ['~', '\\(ti'],
  ],
  ...[
    ['…', '...'],
    ['’', '\\(cq'],
    ['–', '\\(en'],
    ['×', '\\(mu'],
    ['“', '\\(lq'],
    ['”', '\\(rq'],
  ],
]);

/** Lines of troupe.1 in plain ASCII, so that the encoding does not matter. */
export function manualPage({ ALL_COMMANDS, topicsOf, EVERYDAY, GLOBAL_OPTIONS }) {
  const topics = topicsOf(ALL_COMMANDS);
  const entries = topics.flatMap((topic) => topic.entries);
  const everyday = EVERYDAY.map((command) => entries.find((entry) => entry.command === command));
  return [
    '.\\" Made by `node tooling/reference.mjs` from the source. Do not edit it by hand.',
    `.TH TROUPE 1 "" "troupe" "User Commands"`,
    ...section('name'),
    'troupe, wg \\- casts a team of agents and runs its work as a graph of tasks',
    ...section('synopsis'),
    '.B troupe',
    '.I command',
    '.RI [ words ]\\ [ flags ]',
    '.br',
    '.B troupe help',
    '.RI [ topic | command ]',
    ...section('everyday commands'),
    ...everyday.flatMap((entry) => term(bold(entry.command), entry.summary)),
    ...section('flags of every command'),
    ...GLOBAL_OPTIONS.flatMap((option) => term(bold(flagText(option)), option.summary)),
    ...topics.flatMap((topic) => [
      ...section(`commands: ${topic.name}`),
      roff(`${topic.summary.charAt(0).toUpperCase()}${topic.summary.slice(1)}.`),
      ...topic.entries.flatMap(commandLines),
    ]),
    ...section('exit status'),
    ...term('0', 'The command did what it says.'),
    ...term('1', 'It was refused, or failed.'),
    ...term('2', 'Its words are wrong.'),
    ...term('130', 'A watched run was interrupted.'),
    ...section('environment'),
    ...term(bold('NO_COLOR'), 'No colour.'),
    ...term(bold('FORCE_COLOR'), 'Colour where no terminal is, too.'),
    ...term(bold('TROUPE_DEBUG'), '1: errors with the place in the program.'),
    ...term(bold('XDG_CONFIG_HOME'), 'Where the settings of the person lie (default: ~/.config).'),
    ...section('files'),
    ...term(bold('.workgraph/'), 'The graph of a project, its settings and its runs.'),
    ...term(bold('.squad/'), 'The team of a project.'),
    ...section('see also'),
    roff('`troupe help TOPIC`, `troupe help -k WORD`, and docs/guide in the repository.'),
  ];
}

function commandLines(entry) {
  const words = (entry.arguments ?? []).map((argument) => {
    const name = `\\fI${roff(argument.field)}\\fR${argument.many ? ' ...' : ''}`;
    return argument.required ? name : `[${name}]`;
  });
  return [
    `.SS ${roff(`troupe ${entry.command}`)}`,
    roff(`${entry.summary.replace(/\.$/, '')}.`),
    '.PP',
    [
      `\\fB${roff(`troupe ${entry.command}`)}\\fR`,
      ...words,
      ...(entry.options?.length ? ['[\\fIflags\\fR]'] : []),
    ].join(' '),
    ...(entry.arguments ?? []).flatMap((argument) => term(`\\fI${roff(argument.field)}\\fR`, argument.summary)),
    ...(entry.options ?? []).flatMap((option) => term(bold(flagText(option)), option.summary)),
    '.PP',
    '.nf',
    ...entry.examples.map((example) => `    ${roff(example)}`),
    '.fi',
  ];
}

const section = (name) => [`.SH ${roff(name.toUpperCase())}`];
const term = (head, text) => ['.TP', head, roff(text)];
const bold = (text) => `\\fB${roff(text)}\\fR`;

function flagText(option) {
  const short = option.short ? `-${option.short}, ` : '';
  const others = (option.aliases ?? []).map((alias) => `, --${alias}`).join('');
  return `${short}--${option.flag}${option.type === 'switch' ? '' : ` ${option.value ?? 'TEXT'}`}${others}`;
}

/** Escapes text so that roff reads nothing in it as a request or an escape. */
function roff(text) {
  const line = [...text].map((letter) => LETTERS.get(letter) ?? letter).join('');
  return /^[.']/.test(line) ? `\\&${line}` : line;
}
