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
