import { Button, TextInput } from '@mantine/core';
import IconPrinter from '@tabler/icons-react/dist/esm/icons/IconPrinter.mjs';
import IconSearch from '@tabler/icons-react/dist/esm/icons/IconSearch.mjs';
import { useDeferredValue, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { decoded } from '../ui/decoded.ts';
import { KeyCaps } from '../ui/key-caps.tsx';
import { MatchedText } from '../ui/matched-text.tsx';
import { Notice } from '../ui/notice.tsx';
import { PageTitle } from '../ui/page-heading.tsx';
import { type KeyGroup, useHelpChapters } from './chapters.ts';
import classes from './help.module.css';
import { blocksOf, countMatches, type HelpBlock, type HelpSection, searchHelp } from './help-book.ts';

interface SectionProps {
  readonly section: HelpSection;
  readonly query: string;
  /** Formats a key as it is labelled on the user's keyboard. */
  readonly keyText: (shortcut: string) => string;
}

/** Text with the search words in bold. */
const HighlightedText = ({ text, query }: { readonly text: string; readonly query: string }) =>
  query.trim() === '' ? text : <MatchedText text={text} query={query} />;

const blockKey = (block: HelpBlock) => (block.kind === 'steps' ? block.steps[0] : block.text);

const Block = ({ block, query }: { readonly block: HelpBlock; readonly query: string }) => {
  if (block.kind === 'steps')
    return (
      <ol>
        {block.steps.map((step) => (
          <li key={step}>
            <HighlightedText text={step} query={query} />
          </li>
        ))}
      </ol>
    );
  const highlighted = <HighlightedText text={block.text} query={query} />;
  return block.kind === 'command' ? <code className={classes.command}>{highlighted}</code> : <p>{highlighted}</p>;
};

const Body = ({ section, query, keyText }: SectionProps) => {
  if (section.kind === 'words')
    return blocksOf(section.text).map((block) => <Block key={blockKey(block)} block={block} query={query} />);
  if (section.kind === 'keys')
    return (
      <dl className={classes.keys}>
        {section.rows.map(({ keys, text }) => (
          <div key={text}>
            <dt>
              <HighlightedText text={text} query={query} />
            </dt>
            <dd>
              <KeyCaps keys={keys} textOf={keyText} />
            </dd>
          </div>
        ))}
      </dl>
    );
  return (
    <dl className={classes.messages}>
      {section.messages.map(({ id, text, meaning }) => (
        <div key={id}>
          <dt>
            <HighlightedText text={text} query={query} />
          </dt>
          <dd>
            <HighlightedText text={meaning} query={query} />
          </dd>
        </div>
      ))}
    </dl>
  );
};

/** Renders a section with its heading. */
const HelpSectionView = (props: SectionProps) => (
  <section className={classes.section} data-kind={props.section.kind} aria-labelledby={`title-${props.section.id}`}>
    <h3 id={`title-${props.section.id}`}>{props.section.title}</h3>
    <Body {...props} />
  </section>
);

interface HelpPageProps {
  /** Shortcuts of views that define their own. */
  readonly keyGroups: readonly KeyGroup[];
  /** Formats a key as it is labelled on the user's keyboard. */
  readonly keyText: (shortcut: string) => string;
}

/** Shows the help chapters with search and print. */
export const HelpPage = ({ keyGroups, keyText }: HelpPageProps) => {
  const { t } = useTranslation('help');
  const [typed, setTyped] = useState('');
  // Deferred, so that typing stays responsive while the help re-renders.
  const query = useDeferredValue(typed);
  const chapters = searchHelp(useHelpChapters(keyGroups), query);
  const isSearching = query.trim() !== '';
  const matches = countMatches(chapters);
  // The browser looks for the hash before React has rendered the chapter.
  useEffect(() => {
    document.getElementById(decoded(window.location.hash.slice(1)))?.scrollIntoView();
  }, []);
  return (
    <div className={classes.page}>
      <header className={classes.head}>
        <PageTitle>{t('title')}</PageTitle>
        <h1>{t('title')}</h1>
        <p>{t('introduction')}</p>
        <search className={classes.search}>
          <TextInput
            type="search"
            aria-label={t('search')}
            placeholder={t('search')}
            autoComplete="off"
            leftSection={<IconSearch aria-hidden="true" />}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
          <Button variant="default" leftSection={<IconPrinter aria-hidden="true" />} onClick={() => window.print()}>
            {t('print')}
          </Button>
        </search>
        <p role="status" className={classes.count}>
          {isSearching && matches > 0 ? t('found', { count: matches }) : ''}
        </p>
      </header>
      <nav className={classes.contents} aria-label={t('contents')}>
        {chapters.length > 0 && (
          <ul>
            {chapters.map(({ id, title }) => (
              <li key={id}>
                <a href={`#${id}`}>{title}</a>
              </li>
            ))}
          </ul>
        )}
      </nav>
      <div className={classes.chapters}>
        {chapters.map(({ id, title, sections }) => (
          <section key={id} id={id} className={classes.chapter} aria-labelledby={`title-${id}`} tabIndex={-1}>
            <h2 id={`title-${id}`}>{title}</h2>
            {sections.map((section) => (
              <HelpSectionView key={section.id} section={section} query={query} keyText={keyText} />
            ))}
          </section>
        ))}
        {chapters.length === 0 && (
          <Notice
            title={t('noneTitle', { text: query.trim() })}
            text={t('noneText')}
            icon={<IconSearch />}
            action={<Button onClick={() => setTyped('')}>{t('showAll')}</Button>}
          />
        )}
      </div>
    </div>
  );
};
