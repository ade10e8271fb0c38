import { type Ref, useEffect, useImperativeHandle, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ImportDecision, ImportFile, ImportStudy } from '../../../../contract/imports.ts';
import type { ToldFailure } from '../../language/failure-text.ts';
import classes from './decide.module.css';
import { namesTheSame } from './named.rules.ts';
import { firstToOpen, nextToOpen, stateOf } from './study.rules.ts';
import { StudyCard } from './study-card.tsx';

export interface DecideHandle {
  /** Opens the first study that waits for a person, and brings the keyboard to what is missing. */
  readonly mend: () => void;
}

interface DecideStudiesProps {
  readonly ref?: Ref<DecideHandle>;
  readonly studies: readonly ImportStudy[];
  /** All files of the import. */
  readonly files: readonly ImportFile[];
  /** Keys of the studies whose decisions are on their way to the archive. */
  readonly deciding: ReadonlySet<string>;
  /** Why the last decision was not taken, and of which study. */
  readonly failure: { readonly key: string; readonly failure: ToldFailure } | null;
  readonly clinicId: string;
  /** The patient into whose page the files were dropped; null: each study is decided by itself. */
  readonly patientId: string | null;
  readonly onDecide: (key: string, decision: Partial<ImportDecision>) => void;
}

/** What mends a study: a patient or a word about one, which comes first in its card; of one without any image, to leave it out. */
const mendedBy = (study: ImportStudy | undefined) =>
  study?.obstacles[0] === 'nothing-to-import' ? 'input[type=checkbox]' : 'section input, section button';

/** All studies that were found in an import, each with what a person decides about it. */
export const DecideStudies = (props: DecideStudiesProps) => {
  const { ref, studies, files, deciding, failure, clinicId, patientId: pageOf, onDecide } = props;
  const { t } = useTranslation('import-decide');
  const list = useRef<HTMLUListElement>(null);
  const [opened, setOpened] = useState<ReadonlySet<string>>(() => new Set([firstToOpen(studies) ?? '']));
  const [wanted, setWanted] = useState<string | null>(null);

  useEffect(() => {
    if (wanted === null) return;
    const cards = [...(list.current?.querySelectorAll<HTMLElement>('[data-study]') ?? [])];
    const card = cards.find((one) => one.getAttribute('data-study') === wanted);
    card?.scrollIntoView?.({ block: 'nearest' });
    card?.querySelector<HTMLElement>(mendedBy(studies.find(({ key }) => key === wanted)))?.focus();
    setWanted(null);
  }, [wanted, studies]);

  const setOpen = (key: string, open: boolean) =>
    setOpened((before) => new Set(open ? [...before, key] : [...before].filter((one) => one !== key)));
  const goTo = (key: string | null) => {
    if (key === null) return;
    setOpen(key, true);
    setWanted(key);
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
            stateOf(other) === 'asks' &&
            namesTheSame(other.named, study.named),
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
