import { Button } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ImportFile, ImportStudy } from '../../../../contract/imports.ts';
import { personName } from '../../parts/person-name.ts';
import { ChoosePatient } from './choose-patient.tsx';
import { MatchLine } from './match-line.tsx';
import { comparison, peopleIn } from './named.rules.ts';
import classes from './patient.module.css';
import { PersonFacts } from './person-facts.tsx';
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

/** Whose images a study holds: what the files say beside whom it goes to, how these go together, and what a person says to it. */
export const Whose = ({ study, files, clinicId, pageOf, shown, alike, onAlike }: WhoseProps) => {
  const { t } = useTranslation('import-decide');
  const [changing, setChanging] = useState(false);
  const change = useRef<HTMLButtonElement>(null);
  const { named, namesSeveral } = study;
  const { decision, comparing, decide } = shown;
  const patient = comparing ? null : study.patient;
  const { apart } = comparison(named, patient);
  const chooses = changing || patient === null;
  const namedText = (name: string | null) => personName(name) ?? t('nameless');
  const people = namesSeveral ? peopleIn(files) : [];
  const chosenName = patient ? `${patient.firstName} ${patient.lastName}` : '';
  const others = people.length > 1 ? people.map((one) => namedText(one.named.name)).join(', ') : null;
  const namedName = others ?? namedText(named?.name ?? null);

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
    if (study.obstacles.includes('study-of-another-patient') && study.inArchive)
      return (
        <MatchLine tone="bad">
          {t('ofAnother', { name: `${study.inArchive.patient.firstName} ${study.inArchive.patient.lastName}` })}
        </MatchLine>
      );
    if (study.match === 'same') return <MatchLine tone="good">{t('match-same')}</MatchLine>;
    if (study.match === 'unknown') return <MatchLine tone="caution">{t('match-unknown')}</MatchLine>;
    return decision.mismatchConfirmed ? (
      <MatchLine tone="caution">{t('confirmed', { patient: chosenName, named: namedName })}</MatchLine>
    ) : (
      <MatchLine tone="bad">{t('match-differs')}</MatchLine>
    );
  };
  return (
    <div className={classes.whose}>
      <div className={classes.sides}>
        <div>
          <p className={classes.side}>{t('filesSay')}</p>
          {people.length > 1 ? (
            <ul className={classes.people}>
              {people.map((one) => (
                <li key={`${one.named.name}/${one.named.patientId}/${one.named.birthDate}`}>
                  <PersonFacts
                    name={`${namedText(one.named.name)} (${t('files', { count: one.files })})`}
                    personalNumber={one.named.patientId}
                    birthDate={one.named.birthDate}
                    apart={comparison(one.named, patient).apart}
                  />
                </li>
              ))}
            </ul>
          ) : named ? (
            <PersonFacts
              name={namedText(named.name)}
              personalNumber={named.patientId}
              birthDate={named.birthDate}
              apart={apart}
            />
          ) : (
            <p className={classes.quiet}>{t('nobodyNamed')}</p>
          )}
        </div>
        <div>
          <p className={classes.side}>{t('goesTo')}</p>
          {patient ? (
            <PersonFacts
              name={chosenName}
              personalNumber={patient.personalNumber}
              birthDate={patient.birthDate}
              apart={apart}
            />
          ) : (
            <p className={classes.quiet}>{t('nobodyChosen')}</p>
          )}
        </div>
      </div>
      {people.length > 1 && <MatchLine tone="caution">{t('severalNamed', { count: people.length })}</MatchLine>}
      {patient && pageOf !== null && pageOf !== patient.id && (
        <MatchLine tone="caution">{t('notDroppedPatient')}</MatchLine>
      )}
      <div className={classes.verdict}>
        <div aria-live="polite">{line()}</div>
        {patient && !chooses && (
          <div className={classes.ways}>
            {study.match === 'differs' &&
              (decision.mismatchConfirmed ? (
                <Button variant="default" onClick={() => decide({ mismatchConfirmed: false })}>
                  {t('withdraw')}
                </Button>
              ) : (
                <Button
                  color="orange"
                  variant="outline"
                  className={classes.confirm}
                  onClick={() => decide({ patientId: patient.id, mismatchConfirmed: true })}
                >
                  {t('confirm', { patient: chosenName, named: namedName })}
                </Button>
              ))}
            <Button ref={change} variant="default" onClick={() => setChanging(true)}>
              {t('changePatient')}
            </Button>
            {alike > 0 && (
              <Button variant="default" onClick={() => onAlike(patient.id)}>
                {t('alsoAlike', { count: alike, name: namedName })}
              </Button>
            )}
          </div>
        )}
      </div>
      {chooses && (
        <ChoosePatient
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
