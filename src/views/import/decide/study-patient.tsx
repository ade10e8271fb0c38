import { Button } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ImportFile, ImportStudy } from '../../../../contract/imports.ts';
import { useDrafts } from '../../app/drafts-context.ts';
import { useMoveStudy } from '../../app/move-study.tsx';
import { formatPersonName } from '../../ui/person-name.ts';
import { ChoosePatient, makePatientDraft } from './choose-patient.tsx';
import { identitiesIn } from './identity.rules.ts';
import classes from './patient.module.css';
import { PatientComparison } from './patient-comparison.tsx';
import { MatchLine } from './study-head.tsx';
import type { ShownDecision } from './use-decision.ts';

interface StudyPatientProps {
  readonly study: ImportStudy;
  readonly files: readonly ImportFile[];
  readonly clinicId: string;
  /** Patient on whose page the files were dropped; null: none. */
  readonly pageOf: string | null;
  readonly shown: ShownDecision;
  /** Other undecided studies with the same identity. */
  readonly alike: number;
  readonly onAlike: (patientId: string) => void;
}

const fullName = (patient: ImportStudy['patient']) => (patient ? `${patient.firstName} ${patient.lastName}` : '');

/** Chooses the patient of a study: compares the identity in the files with the chosen patient and asks for confirmation. */
export const StudyPatient = ({ study, files, clinicId, pageOf, shown, alike, onAlike }: StudyPatientProps) => {
  const { t } = useTranslation('import-decide');
  const drafts = useDrafts();
  const moveStudy = useMoveStudy();
  // The key `pictures` occurs in several imports, but a file id in only one.
  const draftId = `${study.key}/${files[0]?.id ?? ''}`;
  const [changing, setChanging] = useState(() => drafts.find(makePatientDraft(draftId).key) !== null);
  const change = useRef<HTMLButtonElement>(null);
  const { decision, comparing, decide } = shown;
  const patient = comparing ? null : study.patient;
  const chooses = changing || patient === null;
  const identities = study.namesSeveral ? identitiesIn(files) : [];
  const ownersStudy = study.obstacles.includes('study-of-another-patient') ? study.inArchive : null;
  const owner = ownersStudy?.patient ?? null;
  const isInRecycleBin = ownersStudy?.isDeleted === true;
  const names = identities.length > 1 ? identities.map((one) => one.named.name) : [study.named?.name ?? null];
  const texts = {
    patient: fullName(patient),
    owner: fullName(owner),
    named: names.map((name) => formatPersonName(name) ?? t('unnamedPatient')).join(', '),
  };

  // Focus moves to the button that undoes the choice.
  const patientId = patient?.id ?? null;
  const before = useRef(patientId);
  useEffect(() => {
    if (patientId !== null && before.current !== patientId && document.activeElement === document.body)
      change.current?.focus();
    before.current = patientId;
  }, [patientId]);

  // A new patient needs a new target study and a new confirmation.
  const choose = (chosen: string) => {
    setChanging(false);
    if (chosen === study.decision.patientId && !comparing) return;
    decide({ patientId: chosen, mismatchConfirmed: false, ...(study.kind === 'static' && { studyUid: null }) });
  };
  const move = (from: NonNullable<ImportStudy['inArchive']>, patientToId: string) =>
    moveStudy?.request({
      studyId: from.studyId,
      name: study.description.trim() || t('untitled'),
      patientFromId: from.patient.id,
      patientToId,
      customerId: clinicId,
      // Sends the same decision again; the server then reports the current obstacles.
      onMoved: () => decide({ patientId: patientToId, mismatchConfirmed: decision.mismatchConfirmed }),
    });
  const matchLine = () => {
    if (comparing) return <MatchLine tone="needs-decision">{t('comparing')}</MatchLine>;
    if (!patient) return <MatchLine tone="needs-decision">{t('choosePatient')}</MatchLine>;
    if (owner) return <MatchLine tone="bad">{t(isInRecycleBin ? 'ofAnotherInBin' : 'ofAnother', texts)}</MatchLine>;
    if (study.match === 'same') return <MatchLine tone="good">{t('match-same')}</MatchLine>;
    if (study.match === 'unknown') return <MatchLine tone="caution">{t('match-unknown')}</MatchLine>;
    return decision.mismatchConfirmed ? (
      <MatchLine tone="caution">{t('confirmed', texts)}</MatchLine>
    ) : (
      <MatchLine tone="bad">{t('match-differs')}</MatchLine>
    );
  };
  const canConfirm = patient !== null && owner === null && study.match === 'differs';
  return (
    <div className={classes.whose}>
      <PatientComparison named={study.named} identities={identities} patient={patient} />
      {identities.length > 1 && <MatchLine tone="caution">{t('severalNamed', { count: identities.length })}</MatchLine>}
      {patient && pageOf !== null && pageOf !== patient.id && (
        <MatchLine tone="caution">{t('notDroppedPatient')}</MatchLine>
      )}
      {owner === null && study.deletedFiles > 0 && (
        <MatchLine tone="caution">{t('restores', { count: study.deletedFiles })}</MatchLine>
      )}
      {owner === null && study.deletedFiles === 0 && study.inArchive?.isDeleted && (
        <MatchLine tone="caution">{t('restoresStudy')}</MatchLine>
      )}
      <div className={classes.verdict}>
        <div aria-live="polite">{matchLine()}</div>
        {patient && !chooses && (
          <div className={classes.ways}>
            {ownersStudy && moveStudy && (
              <Button
                variant="default"
                disabled={moveStudy.disabledReason !== null}
                title={moveStudy.disabledReason ?? undefined}
                onClick={() => move(ownersStudy, patient.id)}
              >
                {t('moveFromBin', texts)}
              </Button>
            )}
            {owner && !isInRecycleBin && (
              <Button variant="default" onClick={() => choose(owner.id)}>
                {t('chooseOwner', texts)}
              </Button>
            )}
            {canConfirm &&
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
                  {t('confirm', texts)}
                </Button>
              ))}
            <Button ref={change} variant="default" onClick={() => setChanging(true)}>
              {t('changePatient')}
            </Button>
            {alike > 0 && (
              <Button variant="default" onClick={() => onAlike(patient.id)}>
                {t('samePatient', { count: alike, name: texts.named })}
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
