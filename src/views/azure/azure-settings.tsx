import { Button, Loader, Modal } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useFailureText } from '../language/failure-text.ts';
import { IconAlert } from '../parts/icon-alert.tsx';
import { failureOfQuery, useReading } from '../reading.tsx';
import classes from './azure.module.css';
import { AzureForm } from './azure-form.tsx';

/** Which application and which directory of Azure AD people sign in with; none: that way is not offered. */
export const AzureSettings = ({ onClose }: { onClose: () => void }) => {
  const { t } = useTranslation(['azure', 'shell']);
  const failureText = useFailureText();
  const { data, error, isFetching, refetch } = useQuery({ ...useReading().azure(), staleTime: 0, gcTime: 0 });
  const body = () => {
    if (data !== undefined) return <AzureForm saved={data} onClose={onClose} />;
    if (!error || isFetching)
      return (
        <div className={classes.waiting}>
          <Loader aria-label={t('loading')} />
        </div>
      );
    return (
      <div className={classes.body}>
        <IconAlert>{failureText(failureOfQuery(error))}</IconAlert>
        <div className={classes.buttons}>
          <Button variant="default" onClick={onClose}>
            {t('shell:close')}
          </Button>
          <Button data-autofocus onClick={() => void refetch()}>
            {t('retry')}
          </Button>
        </div>
      </div>
    );
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('title')}
      size={560}
      zIndex={400}
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': t('shell:close') }}
    >
      {body()}
    </Modal>
  );
};
