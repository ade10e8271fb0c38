import { KeyCaps } from '../parts/key-caps.tsx';
import { MatchedText } from '../parts/matched-text.tsx';
import classes from './help.module.css';
import { blocksOf, type HelpBlock, type HelpPiece } from './help-book.ts';

interface PieceProps {
  readonly piece: HelpPiece;
  readonly query: string;
  /** A key as it is printed on the keyboard of the reader. */
  readonly keyText: (shortcut: string) => string;
}

/** The words, with those that are searched for in bold. */
const Words = ({ text, query }: { readonly text: string; readonly query: string }) =>
  query.trim() === '' ? text : <MatchedText text={text} query={query} />;

const keyOf = (block: HelpBlock) => (block.kind === 'steps' ? block.steps[0] : block.text);

const Block = ({ block, query }: { readonly block: HelpBlock; readonly query: string }) => {
  if (block.kind === 'steps')
    return (
      <ol>
        {block.steps.map((step) => (
          <li key={step}>
            <Words text={step} query={query} />
          </li>
        ))}
      </ol>
    );
  const words = <Words text={block.text} query={query} />;
  return block.kind === 'command' ? <code className={classes.command}>{words}</code> : <p>{words}</p>;
};

const Body = ({ piece, query, keyText }: PieceProps) => {
  if (piece.kind === 'words')
    return blocksOf(piece.text).map((block) => <Block key={keyOf(block)} block={block} query={query} />);
  if (piece.kind === 'keys')
    return (
      <dl className={classes.keys}>
        {piece.rows.map(({ keys, text }) => (
          <div key={text}>
            <dt>
              <Words text={text} query={query} />
            </dt>
            <dd>
              <KeyCaps keys={keys} textOf={keyText} />
            </dd>
          </div>
        ))}
      </dl>
    );
  return (
    <dl className={classes.sayings}>
      {piece.sayings.map(({ id, said, meant }) => (
        <div key={id}>
          <dt>
            <Words text={said} query={query} />
          </dt>
          <dd>
            <Words text={meant} query={query} />
          </dd>
        </div>
      ))}
    </dl>
  );
};

/** A heading and what stands below it. */
export const Piece = (props: PieceProps) => (
  <section className={classes.piece} data-kind={props.piece.kind} aria-labelledby={`title-${props.piece.id}`}>
    <h3 id={`title-${props.piece.id}`}>{props.piece.title}</h3>
    <Body {...props} />
  </section>
);
