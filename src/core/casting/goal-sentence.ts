import type { WorkKind } from '#core/catalog/catalog.js';
import { hasRole, type Phrase, type PhraseIndex, type PhraseRole, type Token } from './goal-phrases.js';

/** What a phrase of a goal says about a kind of work. */
export interface Mention {
  readonly kind: WorkKind;
  readonly words: string;
  readonly weight: number;
  /** Whether the sentence asks for it, or is only about it. */
  readonly isGoal: boolean;
  /** Whether it is to be delivered with what the sentence asks for: "a library *with tests*". */
  readonly isExtra: boolean;
}

/** What a verb of its own kind, what is to be made, what such a verb is done to, what it is about, and "make" alone are worth. */
export const WEIGHT = { verb: 4, sign: 4, object: 3, patient: 2, topic: 1, making: 1.5 };

const words = (text: string) => new Set(text.split(' '));
/** What follows one of these is about the thing, not the thing: "a blog post *about* our compiler". */
const PREPOSITIONS = words(
  'about above across after against among around as at before behind below between by during for from how in inside ' +
    'into like near of on onto over per regarding than through to toward towards under until upon using via when ' +
    'whether while why with within',
);
/** What follows one of these is nothing but a topic, even where nothing else was named: "write *about* compilers". */
const TOPIC_PREPOSITIONS = words('about regarding');
/** What follows one of these comes with the thing: "a library *with* docs"; after the first, even in a relative clause. */
const ADDITIONS = words('including plus with');
const ADDITIONS_ANYWHERE = words('including plus');
/** What follows one of these says what the thing does, up to the end of the sentence: "an app *that* sends mail". */
const RELATIVES = words('because so that where which who whose');
/** What follows one of these is not wanted, or is there: "needs *no* server". */
const NEGATIONS = words('already avoid except instead never no nor not without');
/** After one of these it is wanted again: "no features, *only* tests". */
const AFFIRMATIONS = words('but just only ,');
/** These stand before a verb without being part of what is said. */
const FILLERS = words('also just now only please simply then');
/** What is not wanted goes on after one of these: "without a server *or* a database". */
const ALTERNATIVES = words('nor or');
/** A word after one of these is no verb: "a script". */
const DETERMINERS = new Set(['a', 'an', 'the', 'my', 'our', 'your', 'their', 'some', 'this', 'these', 'each', 'every']);
const CONJUNCTIONS = words('and but or then ,');

/** A clause as far as it is read. */
interface Clause {
  /** Whether anything but stop words was said. */
  begun: boolean;
  /** Whether its verb is a kind of work by itself; what it is done to is then a topic. */
  hasVerb: boolean;
  hasObject: boolean;
  /** Whether a preposition came. */
  isAbout: boolean;
  /** Whether a relative pronoun came. */
  isRelative: boolean;
  /** Whether what stands here is to be delivered with what the clause asks for. */
  isExtra: boolean;
}
const NEW_CLAUSE: Clause = {
  begun: false,
  hasVerb: false,
  hasObject: false,
  isAbout: false,
  isRelative: false,
  isExtra: false,
};

export interface SentenceReading {
  readonly mentions: readonly Mention[];
  /** Its words without those that say what is not wanted. */
  readonly wanted: readonly Token[];
}

/** What the words of one sentence say, read from left to right. */
export function readSentence(
  tokens: readonly Token[],
  phrases: PhraseIndex,
  stop: ReadonlySet<string>,
): SentenceReading {
  const mentions: RoleMention[] = [];
  const wanted: Token[] = [];
  let clause = { ...NEW_CLAUSE };
  let isNegated = false;
  let wasNegated = false;
  for (let place = 0; place < tokens.length; place++) {
    const phrase = phrases.at(tokens, place);
    const { word = '' } = tokens[place] ?? {};
    if (phrase === undefined) {
      isNegated = isNegatedAfter(word, { isNegated, wasNegated });
      if (!isNegated) wanted.push(...tokens.slice(place, place + 1));
      clause.isExtra = isExtraAfter(word, tokens[place - 1]?.word, clause);
      if (
        CONJUNCTIONS.has(word) &&
        (!clause.isRelative || isOrder(tokens, place)) &&
        isVerbNext(tokens, place, phrases)
      )
        clause = { ...NEW_CLAUSE };
      else if (CONJUNCTIONS.has(word)) clause.isAbout &&= !DETERMINERS.has(tokens[place + 1]?.word ?? '');
      else if (RELATIVES.has(word)) clause.isRelative ||= clause.begun;
      else if (PREPOSITIONS.has(word)) {
        clause.isAbout = true;
        clause.hasObject ||= TOPIC_PREPOSITIONS.has(word);
      } else if (!NEGATIONS.has(word) && !stop.has(word)) clause.begun = true;
      continue;
    }
    const after = place + phrase.stems.length;
    if (!isNegated) {
      wanted.push(...tokens.slice(place, after));
      const said = tokens.slice(place, after).map((token) => token.word);
      const neighbours = {
        before: tokens[place - 1]?.word,
        after: tokens[after]?.word,
        isThingAfter: hasRole(phrases.at(tokens, after), 'thing'),
      };
      mentions.push(...mentionsOf(phrase, said.join(' '), clause, neighbours));
    }
    // What is not to be done is not wanted either: "do not *add a* server".
    wasNegated = isNegated;
    isNegated &&= !hasRole(phrase, 'thing', 'sign') || hasRole(phrases.at(tokens, after), 'thing');
    clause.begun = true;
    place = after - 1;
  }
  // Where something is wrong, what it is wrong with is only the place to look.
  const hasSign = mentions.some(({ role, isGoal }) => role === 'sign' && isGoal);
  return {
    wanted,
    mentions: mentions.map(({ role, ...mention }) =>
      hasSign && role === 'thing' && mention.isGoal ? { ...mention, weight: WEIGHT.patient, isGoal: false } : mention,
    ),
  };
}

/** Whether a verb stands behind a word, or behind what only fills. */
function isVerbNext(tokens: readonly Token[], place: number, phrases: PhraseIndex): boolean {
  const following = tokens.findIndex((token, index) => index > place && !FILLERS.has(token.word));
  return hasRole(phrases.at(tokens, following), 'verb', 'making');
}

/** Whether a verb behind a relative clause is of the sentence again: "a tool that sorts photos, *and document* it". */
function isOrder(tokens: readonly Token[], place: number): boolean {
  return tokens[place - 1]?.word === ',' && tokens[place + 1]?.word.endsWith('s') === false;
}

/** A conjunction continues a list, and any other preposition ends it: "with tests *and* docs *for* the API". */
function isExtraAfter(word: string, before: string | undefined, clause: Clause): boolean {
  if (!clause.hasObject && !clause.hasVerb) return false;
  if (ADDITIONS.has(word))
    return !clause.isRelative || before === ',' || ADDITIONS_ANYWHERE.has(word) || clause.isExtra;
  if (CONJUNCTIONS.has(word)) return clause.isExtra || !clause.isRelative;
  return clause.isExtra && !PREPOSITIONS.has(word) && !RELATIVES.has(word);
}

function isNegatedAfter(word: string, before: { readonly isNegated: boolean; readonly wasNegated: boolean }): boolean {
  if (NEGATIONS.has(word)) return true;
  if (AFFIRMATIONS.has(word)) return false;
  return before.isNegated || (before.wasNegated && ALTERNATIVES.has(word));
}

/** Whether what is a thing or a verb is the thing, by the word behind it: "a *script that* …", but "script the backup". */
function isNounBefore(word: string | undefined): boolean {
  return word === undefined || word === ',' || RELATIVES.has(word) || PREPOSITIONS.has(word);
}

type RoleMention = Mention & { readonly role: PhraseRole };

/** What one phrase says where it stands; the clause remembers it. */
function mentionsOf(
  phrase: Phrase,
  words: string,
  clause: Clause,
  neighbours: {
    readonly before: string | undefined;
    readonly after: string | undefined;
    readonly isThingAfter: boolean;
  },
): RoleMention[] {
  const isVerb =
    hasRole(phrase, 'verb', 'making') &&
    !(hasRole(phrase, 'thing') && isNounBefore(neighbours.after)) &&
    (!clause.begun || neighbours.before === 'to') &&
    !DETERMINERS.has(neighbours.before ?? '') &&
    !clause.hasObject &&
    !clause.isRelative;
  const isOwnVerb = isVerb && hasRole(phrase, 'verb');
  const isPatient = clause.hasVerb && !clause.isAbout && !clause.isRelative;
  const canBeGoal = !clause.isRelative && !clause.hasVerb;
  // Of two things side by side the last is meant: "an integration test" is a test.
  const isObject =
    hasRole(phrase, 'thing') &&
    !isVerb &&
    canBeGoal &&
    !(clause.isAbout && clause.hasObject) &&
    !neighbours.isThingAfter;
  if (isOwnVerb) clause.hasVerb = true;
  else if (isObject) clause.hasObject = true;
  // "a tested library", "everything is documented"
  const isParticiple = !isVerb && clause.begun && words.endsWith('ed');
  return phrase.meanings.flatMap(({ kind, role }): RoleMention[] => {
    const mention = (isGoal: boolean, weight: number, isExtra = clause.isExtra && !isGoal) => [
      { kind, role, words, isGoal, isExtra, weight },
    ];
    switch (role) {
      case 'thing':
        if (isVerb) return [];
        return isObject ? mention(true, WEIGHT.object) : mention(false, isPatient ? WEIGHT.patient : WEIGHT.topic);
      case 'sign':
        return isOwnVerb ? [] : mention(canBeGoal, canBeGoal ? WEIGHT.sign : WEIGHT.topic);
      case 'making':
        return isVerb ? mention(false, WEIGHT.making) : [];
      default:
        if (isVerb) return mention(true, WEIGHT.verb);
        return isParticiple ? mention(false, WEIGHT.topic, true) : [];
    }
  });
}
