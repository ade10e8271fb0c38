import { Button, TextInput } from '@mantine/core';
import IconPrinter from '@tabler/icons-react/dist/esm/icons/IconPrinter.mjs';
import IconSearch from '@tabler/icons-react/dist/esm/icons/IconSearch.mjs';
import { useDeferredValue, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { decoded } from '../parts/decoded.ts';
import { Notice } from '../parts/notice.tsx';
import { PageTitle } from '../parts/page-title.tsx';
import { type KeyGroup, useHelpChapters } from './chapters.ts';
import classes from './help.module.css';
import { countPlaces, searchHelp } from './help-book.ts';
import { Piece } from './piece.tsx';

interface HelpPageProps {
  /** The keys of the views that have their own. */
  readonly keyGroups: readonly KeyGroup[];
  /** A key as it is printed on the keyboard of the reader. */
  readonly keyText: (shortcut: string) => string;
}

/** The help: chapters to read, to search and to print. */
export const HelpPage = ({ keyGroups, keyText }: HelpPageProps) => {
  const { t } = useTranslation('help');
  const [typed, setTyped] = useState('');
  // Letters appear as they are typed, however long the help is.
  const query = useDeferredValue(typed);
  const chapters = searchHelp(useHelpChapters(keyGroups), query);
  const isSearching = query.trim() !== '';
  const places = countPlaces(chapters);
  // An address with a chapter is opened before the chapter is there.
  useEffect(() => {
    document.getElementById(decoded(window.location.hash.slice(1)))?.scrollIntoView();
  }, []);
  return (
    <div className={classes.page}>
      <header className={classes.head}>
        <PageTitle>{t('title')}</PageTitle>
        <h1>{t('title')}</h1>
        <p>{t('lead')}</p>
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
          {isSearching && places > 0 ? t('found', { count: places }) : ''}
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
        {chapters.map(({ id, title, pieces }) => (
          <section key={id} id={id} className={classes.chapter} aria-labelledby={`title-${id}`} tabIndex={-1}>
            <h2 id={`title-${id}`}>{title}</h2>
            {pieces.map((piece) => (
              <Piece key={piece.id} piece={piece} query={query} keyText={keyText} />
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
