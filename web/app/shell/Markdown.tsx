import type { Nodes, RootContent } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { createElement, Fragment, type ReactNode, useMemo } from 'react';
import { inert } from '#kernel/text.js';
import './markdown.css';

/** Nesting beyond this is shown as plain text: what is shown was written by others. */
const DEPTH_MOST = 24;
/** Headings of a text begin below those of its page. */
const HEADING_FIRST = 2;

/**
 * Foreign Markdown as words: headings, lists, emphasis, quotes, code. HTML is shown as it is written; addresses are
 * words and no links; pictures are their descriptions.
 */
export default function Markdown({ text }: { readonly text: string }) {
  const root = useMemo(() => fromMarkdown(inert(text, true)), [text]);
  return <div className="markdown">{childrenOf(root, 0)}</div>;
}

function childrenOf(node: Nodes, depth: number): ReactNode {
  if (!('children' in node)) return null;
  // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no identity
  return node.children.map((child, index) => <Fragment key={index}>{partOf(child, depth + 1)}</Fragment>);
}

function partOf(node: RootContent, depth: number): ReactNode {
  if (depth > DEPTH_MOST) return wordsOf(node);
  const inside = () => childrenOf(node, depth);
  switch (node.type) {
    case 'heading':
      return createElement(`h${Math.min(6, node.depth + HEADING_FIRST - 1)}`, undefined, inside());
    case 'paragraph':
      return <p>{inside()}</p>;
    case 'blockquote':
      return <blockquote>{inside()}</blockquote>;
    case 'list':
      return node.ordered === true ? <ol start={node.start ?? 1}>{inside()}</ol> : <ul>{inside()}</ul>;
    case 'listItem':
      return <li>{inside()}</li>;
    case 'thematicBreak':
      return <hr />;
    case 'code':
      return (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        <pre tabIndex={0}>
          <code>{node.value}</code>
        </pre>
      );
    case 'inlineCode':
      return <code>{node.value}</code>;
    case 'emphasis':
      return <em>{inside()}</em>;
    case 'strong':
      return <strong>{inside()}</strong>;
    case 'break':
      return <br />;
    case 'link':
      return (
        <>
          {inside()}
          {wordsOf(node) === node.url ? null : <span className="muted"> ({node.url})</span>}
        </>
      );
    case 'image':
      return <span className="muted">[{node.alt ?? 'picture'}]</span>;
    case 'definition':
      return null;
    case 'text':
    case 'html':
      return node.value;
    default:
      return wordsOf(node);
  }
}

function wordsOf(node: Nodes): string {
  const words: string[] = [];
  const pending: Nodes[] = [node];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if ('value' in next) words.push(next.value);
    if ('children' in next) pending.push(...[...next.children].reverse());
  }
  return words.join('');
}
