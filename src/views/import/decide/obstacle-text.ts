import { useTranslation } from 'react-i18next';
import type { ImportStudy } from '../../../../contract/imports.ts';
import { personName } from '../../parts/person-name.ts';
import { stateOf } from './study.rules.ts';

/** What a study is called: its description, else what it is. */
export const useStudyName = () => {
  const { t } = useTranslation('import-decide');
  return (study: ImportStudy): string =>
    study.description.trim() || t(study.kind === 'static' ? 'pictures' : 'untitled');
};

/** What stands in the way of importing a study, and how to mend it; null when nothing does, or when it is not wanted. */
export const useObstacleText = () => {
  const { t } = useTranslation('import-decide');
  return (study: ImportStudy): string | null => {
    const [obstacle] = study.obstacles;
    if (obstacle === undefined || stateOf(study) !== 'asks') return null;
    const patientName = (patient: ImportStudy['patient']) =>
      patient ? `${patient.firstName} ${patient.lastName}` : '';
    return t(`obstacle-${obstacle}`, {
      patient: patientName(study.patient),
      owner: patientName(study.inArchive?.patient ?? null),
      named: personName(study.named?.name ?? null) ?? t('nameless'),
    });
  };
};

/**
 * Why an import cannot go on yet, in words, for the button that is barred until then; null when it can. Of several studies the first that
 * waits, by name, and how many wait after it.
 */
export const useBarredText = () => {
  const { t } = useTranslation('import-decide');
  const obstacleText = useObstacleText();
  const studyName = useStudyName();
  return (studies: readonly ImportStudy[]): string | null => {
    const waiting = studies.filter((study) => stateOf(study) === 'asks');
    const [first] = waiting;
    if (!first) return studies.every((study) => study.decision.leftOut) ? t('nothingWanted') : null;
    const text = obstacleText(first) ?? '';
    if (studies.length === 1) return text;
    const named = t('inStudy', { study: studyName(first), text });
    return waiting.length === 1 ? named : `${named} ${t('andMore', { count: waiting.length - 1 })}`;
  };
};
