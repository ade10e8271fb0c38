import { useTranslation } from 'react-i18next';
import type { ImportStudy } from '../../../../contract/imports.ts';
import { personName } from '../../parts/person-name.ts';
import classes from './decide.module.css';
import { MatchLine } from './match-line.tsx';
import { useObstacleText } from './obstacle-text.ts';
import type { StudyState } from './study.rules.ts';

/** How a study stands, in one line, where its card is closed: what it waits for, or to whom it goes and how sure that is. */
export const StudyStatus = ({ study, state }: { study: ImportStudy; state: StudyState }) => {
  const { t } = useTranslation('import-decide');
  const obstacleText = useObstacleText();
  const { patient, match, named } = study;
  if (state === 'left-out') return <p className={classes.quiet}>{t('isLeftOut')}</p>;
  if (state === 'imported') return <MatchLine tone="good">{t('isImported')}</MatchLine>;
  if (state === 'asks') {
    const tone = study.obstacles[0] === 'patient-missing' ? 'asks' : 'bad';
    return <MatchLine tone={tone}>{obstacleText(study)}</MatchLine>;
  }
  const name = patient ? `${patient.firstName} ${patient.lastName}` : '';
  if (match === 'same') return <MatchLine tone="good">{t('isReady', { name })}</MatchLine>;
  if (match === 'unknown') return <MatchLine tone="caution">{t('isReadyUnsure', { name })}</MatchLine>;
  const words = { patient: name, named: personName(named?.name ?? null) ?? t('nameless') };
  return <MatchLine tone="caution">{t('confirmed', words)}</MatchLine>;
};
