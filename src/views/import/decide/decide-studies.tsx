import { type Ref, useEffect, useImperativeHandle, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ImportDecision, ImportFile, ImportStudy } from '../../../../contract/imports.ts';
import type { ReportedFailure } from '../../language/failure-text.ts';
import classes from './decide.module.css';
import { isSameIdentity } from './identity.rules.ts';
import { firstToOpen, nextToOpen, stateOf } from './study.rules.ts';
import { StudyCard } from './study-card.tsx';

export interface DecideHandle {
  /** Expands the first undecided study and focuses what is missing. */
  readonly mend: () => void;
}

interface DecideStudiesProps {
  readonly ref?: Ref<DecideHandle>;
  readonly studies: readonly ImportStudy[];
  /** All files of the import. */
  readonly files: readonly ImportFile[];
  /** Keys of the studies whose decisions are being sent. */
  readonly deciding: ReadonlySet<string>;
  /** Error of the last decision, and its study. */
  readonly failure: { readonly key: string; readonly failure: ReportedFailure } | null;
  readonly clinicId: string;
  /** Patient on whose page the files were dropped; null: each study is decided separately. */
  readonly patientId: string | null;
  readonly onDecide: (key: string, decision: Partial<ImportDecision>) => void;
}

/** CSS selector of the control that resolves an obstacle: the patient section, or for a study without images the exclude button. */
const mendedBy = (study: ImportStudy | undefined) =>
  study?.obstacles[0] === 'nothing-to-import' ? 'input[type=checkbox]' : 'section input, section button';

/** Shows all studies of an import with their decisions. */
export const DecideStudies = (props: DecideStudiesProps) => {
  const { ref, studies, files, deciding, failure, clinicId, patientId: pageOf, onDecide } = props;
  const { t } = useTranslation('import-decide');
  const list = useRef<HTMLUListElement>(null);
  const [opened, setOpened] = useState<ReadonlySet<string>>(() => new Set([firstToOpen(studies) ?? '']));
  const [focusKey, setFocusKey] = useState<string | null>(null);

  useEffect(() => {
    if (focusKey === null) return;
    const cards = [...(list.current?.querySelectorAll<HTMLElement>('[data-study]') ?? [])];
    const card = cards.find((one) => one.getAttribute('data-study') === focusKey);
    card?.scrollIntoView?.({ block: 'nearest' });
    card?.querySelector<HTMLElement>(mendedBy(studies.find(({ key }) => key === focusKey)))?.focus();
    setFocusKey(null);
  }, [focusKey, studies]);

  const setOpen = (key: string, open: boolean) =>
    setOpened((before) => new Set(open ? [...before, key] : [...before].filter((one) => one !== key)));
  const goTo = (key: string | null) => {
    if (key === null) return;
    setOpen(key, true);
    setFocusKey(key);
  };
  useImperativeHandle(ref, () => ({ mend: () => goTo(firstToOpen(studies)) }));

  const isOnlyOne = studies.length === 1;
  return (
    <ul ref={list} className={classes.studies} aria-label={t('studies')}>
      {studies.map((study) => {
        const alike = studies.filter(
          (other) =>
            other !== study &&
            other.decision.patientId === null &&
            stateOf(other) === 'needs-decision' &&
            isSameIdentity(other.named, study.named),
        );
        const next = nextToOpen(studies, study.key);
        return (
          <StudyCard
            key={study.key}
            study={study}
            files={files}
            clinicId={clinicId}
            pageOf={pageOf}
            deciding={deciding.has(study.key)}
            failure={failure?.key === study.key ? failure.failure : null}
            open={isOnlyOne ? null : opened.has(study.key)}
            onOpen={(open) => setOpen(study.key, open)}
            onDecide={(decision) => onDecide(study.key, decision)}
            alike={alike.length}
            onAlike={(patientId) => {
              for (const other of alike) onDecide(other.key, { patientId, mismatchConfirmed: false });
            }}
            onNext={next === null ? null : () => goTo(next)}
          />
        );
      })}
    </ul>
  );
};
