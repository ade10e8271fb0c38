import { Button, Loader, Modal } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { failureOfQuery, useAppQueries } from '../app/queries-context.tsx';
import { useFailureText } from '../language/failure-text.ts';
import { IconAlert } from '../ui/icon-alert.tsx';
import classes from './azure.module.css';
import { AzureForm } from './azure-form.tsx';

/** Configures the Azure AD application for sign-in; without it the method is not offered. */
export const AzureSettings = ({ onClose }: { onClose: () => void }) => {
  const { t } = useTranslation(['azure', 'shell']);
  const failureText = useFailureText();
  const { data, error, isFetching, refetch } = useQuery({ ...useAppQueries().azure(), staleTime: 0, gcTime: 0 });
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
