import { Button } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ImportFile, ImportStudy } from '../../../../contract/imports.ts';
import { useDrafts } from '../../kept-drafts.ts';
import { personName } from '../../parts/person-name.ts';
import { ChoosePatient } from './choose-patient.tsx';
import { makePatientDraft } from './make-patient.tsx';
import { MatchLine } from './match-line.tsx';
import { peopleIn } from './named.rules.ts';
import classes from './patient.module.css';
import { Sides } from './sides.tsx';
import type { ShownDecision } from './use-decision.ts';

interface WhoseProps {
  readonly study: ImportStudy;
  readonly files: readonly ImportFile[];
  readonly clinicId: string;
  /** The patient into whose page the files were dropped; null: into none. */
  readonly pageOf: string | null;
  readonly shown: ShownDecision;
  /** Other studies that name the same person and have no patient yet. */
  readonly alike: number;
  readonly onAlike: (patientId: string) => void;
}

const fullName = (patient: ImportStudy['patient']) => (patient ? `${patient.firstName} ${patient.lastName}` : '');

/** Whose images a study holds: what the files say beside whom it goes to, how these go together, and what a person says to it. */
export const Whose = ({ study, files, clinicId, pageOf, shown, alike, onAlike }: WhoseProps) => {
  const { t } = useTranslation('import-decide');
  const drafts = useDrafts();
  // Two imports of pictures both have a study `pictures`; no two have a file in common.
  const draftId = `${study.key}/${files[0]?.id ?? ''}`;
  const [changing, setChanging] = useState(() => drafts.find(makePatientDraft(draftId).key) !== null);
  const change = useRef<HTMLButtonElement>(null);
  const { decision, comparing, decide } = shown;
  const patient = comparing ? null : study.patient;
  const chooses = changing || patient === null;
  const people = study.namesSeveral ? peopleIn(files) : [];
  const owner = study.obstacles.includes('study-of-another-patient') ? (study.inArchive?.patient ?? null) : null;
  const names = people.length > 1 ? people.map((one) => one.named.name) : [study.named?.name ?? null];
  const words = {
    patient: fullName(patient),
    owner: fullName(owner),
    named: names.map((name) => personName(name) ?? t('nameless')).join(', '),
  };

  // Who has chosen goes on with the keyboard where the choice can be taken back.
  const patientId = patient?.id ?? null;
  const before = useRef(patientId);
  useEffect(() => {
    if (patientId !== null && before.current !== patientId && document.activeElement === document.body)
      change.current?.focus();
    before.current = patientId;
  }, [patientId]);

  // Another patient, another study to put pictures into; and whoever was confirmed was confirmed for the one before.
  const choose = (chosen: string) => {
    setChanging(false);
    if (chosen === study.decision.patientId && !comparing) return;
    decide({ patientId: chosen, mismatchConfirmed: false, ...(study.kind === 'static' && { studyUid: null }) });
  };
  const line = () => {
    if (comparing) return <MatchLine tone="asks">{t('comparing')}</MatchLine>;
    if (!patient) return <MatchLine tone="asks">{t('choosePatient')}</MatchLine>;
    if (owner) return <MatchLine tone="bad">{t('ofAnother', words)}</MatchLine>;
    if (study.match === 'same') return <MatchLine tone="good">{t('match-same')}</MatchLine>;
    if (study.match === 'unknown') return <MatchLine tone="caution">{t('match-unknown')}</MatchLine>;
    return decision.mismatchConfirmed ? (
      <MatchLine tone="caution">{t('confirmed', words)}</MatchLine>
    ) : (
      <MatchLine tone="bad">{t('match-differs')}</MatchLine>
    );
  };
  const mayConfirm = patient !== null && owner === null && study.match === 'differs';
  return (
    <div className={classes.whose}>
      <Sides named={study.named} people={people} patient={patient} />
      {people.length > 1 && <MatchLine tone="caution">{t('severalNamed', { count: people.length })}</MatchLine>}
      {patient && pageOf !== null && pageOf !== patient.id && (
        <MatchLine tone="caution">{t('notDroppedPatient')}</MatchLine>
      )}
      <div className={classes.verdict}>
        <div aria-live="polite">{line()}</div>
        {patient && !chooses && (
          <div className={classes.ways}>
            {owner && (
              <Button variant="default" onClick={() => choose(owner.id)}>
                {t('chooseOwner', words)}
              </Button>
            )}
            {mayConfirm &&
              (decision.mismatchConfirmed ? (
                <Button variant="default" onClick={() => decide({ mismatchConfirmed: false })}>
                  {t('withdraw')}
                </Button>
              ) : (
                <Button
                  color="orange"
                  variant="outline"
                  onClick={() => decide({ patientId: patient.id, mismatchConfirmed: true })}
                >
                  {t('confirm', words)}
                </Button>
              ))}
            <Button ref={change} variant="default" onClick={() => setChanging(true)}>
              {t('changePatient')}
            </Button>
            {alike > 0 && (
              <Button variant="default" onClick={() => onAlike(patient.id)}>
                {t('alsoAlike', { count: alike, name: words.named })}
              </Button>
            )}
          </div>
        )}
      </div>
      {chooses && (
        <ChoosePatient
          draftId={draftId}
          study={study}
          clinicId={clinicId}
          chosen={decision.patientId}
          busy={comparing}
          onChoose={choose}
          onCancel={patient ? () => setChanging(false) : null}
        />
      )}
    </div>
  );
};
