import { Loader } from '@mantine/core';
import IconSearch from '@tabler/icons-react/dist/esm/icons/IconSearch.mjs';
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs';
import { type KeyboardEvent, useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { searchMinimumCharacters } from '../../../contract/bounds.ts';
import type { Patient } from '../../../contract/patients.ts';
import { HitList } from './hit-list.tsx';
import classes from './search-box.module.css';

export interface SearchFieldProps {
  readonly text: string;
  readonly phase: 'idle' | 'typing' | 'searching' | 'hits' | 'nothing' | 'failed';
  readonly hits: readonly Patient[];
  /** Patients with similar names, after the hits. */
  readonly similar: readonly Patient[];
  readonly totalCount: number;
  /** There may be more than `totalCount`. */
  readonly isTotalExact: boolean;
  /** The text is long enough but consists of single letters. */
  readonly needsLongerWord: boolean;
  /** Translated error of the search. */
  readonly failure: string | null;
  readonly onText: (text: string) => void;
  readonly onClear: () => void;
  readonly onRetry: () => void;
  readonly onPick: (patient: Patient) => void;
  readonly onShowAll: () => void;
}

const typesElsewhere = (target: EventTarget | null) =>
  target instanceof Element && target.closest('input, textarea, select, [contenteditable], [role=dialog]') !== null;

/** The slash key focuses the search box unless a text field has focus. */
const useSlash = (focus: () => void) => {
  const listen = useEffectEvent((event: globalThis.KeyboardEvent) => {
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || typesElsewhere(event.target)) return;
    event.preventDefault();
    focus();
  });
  useEffect(() => {
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
};

/** Search box: arrow keys select a hit, Enter opens it. Enter without a selection shows all results. */
export const SearchField = (props: SearchFieldProps) => {
  const { text, phase, hits, similar, totalCount, isTotalExact, needsLongerWord, failure } = props;
  const { onText, onClear, onRetry, onPick, onShowAll } = props;
  const { t } = useTranslation('search');
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [focused, setFocused] = useState(false);
  const [chosen, setChosen] = useState(-1);
  useSlash(() => {
    input.current?.focus();
    input.current?.select();
  });

  const typed = [...text.trim()].length;
  // Hits of the previous query stay visible, disabled, until new ones arrive.
  const isStale = phase === 'typing' || phase === 'searching';
  const message = () => {
    if (phase === 'nothing') return t('nothing', { text: text.trim() });
    if (phase === 'failed') return failure;
    return needsLongerWord ? t('wordTooShort') : null;
  };
  const statusText = message();
  const shown = phase === 'hits' || isStale ? hits : [];
  const alsoShown = phase === 'hits' || phase === 'nothing' ? similar : [];
  const patients = [...shown, ...alsoShown];
  const opened = focused && (statusText !== null || shown.length > 0);
  const rows = phase === 'hits' ? patients.length + 1 : alsoShown.length;
  const leave = () => input.current?.blur();
  const pick = (index: number) => {
    const hit = patients[index];
    leave();
    if (hit) onPick(hit);
    else onShowAll();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      if (!opened || rows === 0) return;
      event.preventDefault();
      const step = event.key === 'ArrowDown' ? 1 : -1;
      setChosen((now) => ((now + 1 + step + rows + 1) % (rows + 1)) - 1);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      if (opened && chosen >= 0) pick(chosen);
      else if (text.trim() !== '') {
        leave();
        onShowAll();
      }
    } else if (event.key === 'Escape') {
      event.preventDefault();
      if (text === '') leave();
      else onClear();
      setChosen(-1);
    } else if (event.key === 'Home' || event.key === 'End') {
      // With a selected hit, Home and End move in the list, otherwise in the text.
      if (!opened || chosen < 0) return;
      event.preventDefault();
      setChosen(event.key === 'Home' ? 0 : rows - 1);
    }
  };

  return (
    <search
      className={classes.box}
      data-focused={focused || undefined}
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) setFocused(false);
      }}
    >
      <div className={classes.field}>
        <IconSearch aria-hidden="true" />
        <input
          ref={input}
          className={classes.input}
          role="combobox"
          aria-label={t('box')}
          aria-expanded={opened}
          aria-controls={`${id}-hits`}
          aria-autocomplete="list"
          aria-activedescendant={opened && chosen >= 0 ? `${id}-${chosen}` : undefined}
          aria-describedby={`${id}-count`}
          aria-keyshortcuts="/"
          autoComplete="off"
          autoCorrect="off"
          spellCheck={false}
          enterKeyHint="search"
          maxLength={30}
          placeholder={focused ? t('boxHint') : t('box')}
          value={text}
          onFocus={() => setFocused(true)}
          onChange={(event) => {
            setChosen(-1);
            onText(event.currentTarget.value);
          }}
          onKeyDown={onKeyDown}
        />
        <span id={`${id}-count`} className={classes.visuallyHidden}>
          {t('counter', { typed, minimum: searchMinimumCharacters })}
        </span>
        {(focused || text !== '') && (
          <span
            className={classes.counter}
            aria-hidden="true"
            data-reached={typed >= searchMinimumCharacters || undefined}
          >
            {Math.min(typed, searchMinimumCharacters)}/{searchMinimumCharacters}
          </span>
        )}
        {phase === 'searching' && (
          <span className={classes.spinner} role="status" aria-label={t('searching')}>
            <Loader size={18} type="oval" />
          </span>
        )}
        {text !== '' ? (
          <button
            type="button"
            className={classes.clear}
            aria-label={t('clear')}
            onClick={() => {
              onClear();
              setChosen(-1);
              input.current?.focus();
            }}
          >
            <IconX />
          </button>
        ) : (
          !focused && (
            <span className={classes.slash} aria-hidden="true">
              /
            </span>
          )
        )}
      </div>
      {opened && (
        <HitList
          id={id}
          hits={shown}
          similar={alsoShown}
          query={text}
          chosen={chosen}
          totalCount={totalCount}
          isTotalExact={isTotalExact}
          isStale={isStale}
          message={statusText}
          onRetry={phase === 'failed' ? onRetry : null}
          onPoint={setChosen}
          onPick={pick}
        />
      )}
    </search>
  );
};
