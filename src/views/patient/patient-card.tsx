import { Menu, Skeleton } from '@mantine/core';
import IconListSearch from '@tabler/icons-react/dist/esm/icons/IconListSearch.mjs';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import type { Patient } from '../../../contract/patients.ts';
import { AgeText } from '../language/age-text.tsx';
import { today } from '../parts/age.ts';
import classes from './patient-card.module.css';
import { RecordMenu } from './record-menu.tsx';

interface PatientCardProps {
  /** null while it is on its way. */
  readonly patient: Patient | null;
  /** Where the access log of the patient is; null for those who may not read it. */
  readonly logPath: string | null;
}

/** Who the patient is; of one size before and after it is known. */
export const PatientCard = ({ patient, logPath }: PatientCardProps) => {
  const { t } = useTranslation(['patient', 'log']);
  if (!patient)
    return (
      <div className={classes.card} aria-busy="true">
        <Skeleton height={20} width="70%" my={3} />
        <Skeleton height={13} width="50%" my={3} />
        <Skeleton height={13} width="40%" my={3} />
      </div>
    );
  const info = patient.mainInfo;
  const name = `${info.firstName} ${info.lastName}`;
  return (
    <header className={classes.card}>
      <div className={classes.top}>
        <h1 className={classes.name} title={name}>
          {name}
        </h1>
        <RecordMenu
          name={name}
          wishes={[
            { kind: 'edit-patient', patient },
            { kind: 'new-viewset', study: null },
            { kind: 'merge-patient', patient },
            { kind: 'delete-patient', patient },
          ]}
        >
          {logPath !== null && (
            <Menu.Item component={Link} href={logPath} leftSection={<IconListSearch aria-hidden="true" />}>
              {t('log:whoRead')}
            </Menu.Item>
          )}
        </RecordMenu>
      </div>
      <p className={classes.line}>
        <span title={t('personalNumber')}>{info.personalNumber}</span>
      </p>
      <p className={classes.line}>
        <AgeText birthDate={info.birthDate} day={today()} />
        {info.birthDate && <span>{t('bornDate', { date: info.birthDate })}</span>}
      </p>
      {info.comments && <p className={classes.comments}>{info.comments}</p>}
    </header>
  );
};
