import { Button, Modal } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useSelector } from '@xstate/react';
import { useTranslation } from 'react-i18next';
import { type SessionActor, selectPermission } from '../../../machines/session/session.machine.ts';
import { useAdministration } from '../../app/loaded-services.ts';
import { failureOfQuery } from '../../app/queries-context.tsx';
import { useFailureText } from '../../language/failure-text.ts';
import { defaultLanguage, languageOf } from '../../language/languages.ts';
import { IconAlert } from '../../ui/icon-alert.tsx';
import { fittingRoles } from '../user-form.rules.ts';
import { rolesToGive } from '../user-rights.ts';
import { ChooseUserFile } from './choose-user-file.tsx';
import { InvitationLinks } from './invitation-links.tsx';
import { type LineResult, useUserImport } from './use-user-import.ts';
import classes from './user-import.module.css';
import { UserLines } from './user-lines.tsx';

interface ImportUsersProps {
  readonly session: SessionActor;
  readonly clinic: { readonly id: string; readonly name: string };
  readonly onClose: () => void;
}

const countOf = (results: ReadonlyMap<number, LineResult>, outcome: LineResult['outcome']): number =>
  [...results.values()].filter((one) => one.outcome === outcome).length;

/** Adds the users of a file to a clinic, after showing what happens to each line. */
export const ImportUsers = ({ session, clinic, onClose }: ImportUsersProps) => {
  const { t, i18n } = useTranslation(['users', 'shell']);
  const failureText = useFailureText();
  const permission = useSelector(session, selectPermission);
  const { data: all, error: rolesError } = useQuery(useAdministration().roles());
  const roles = fittingRoles(rolesToGive(all ?? [], permission), true);
  const language = languageOf(i18n.language) ?? defaultLanguage;
  const current = useUserImport({ clinicId: clinic.id, roles, language });
  const { step, fileName, users, results, problem, failure } = current;
  const counts = { fresh: countOf(results, 'new'), created: countOf(results, 'created') };
  const total = counts.fresh + counts.created;
  const isAdding = step === 'adding';
  const failed = failure && <IconAlert>{failureText(failure)}</IconAlert>;

  const shown = () => {
    if (step === 'choosing' || step === 'checking')
      return (
        <>
          <ChooseUserFile problem={problem} busy={step === 'checking'} onChoose={(file) => void current.choose(file)} />
          <div aria-live="assertive">{failed}</div>
        </>
      );
    return (
      <>
        <ul className={classes.counts} aria-live="polite">
          {step === 'checked' && <li>{t('fileCountNew', { count: counts.fresh })}</li>}
          {step !== 'checked' && <li>{t('fileCountAdded', { count: counts.created, total })}</li>}
          <li>{t('fileCountExists', { count: countOf(results, 'exists') })}</li>
          <li>{t('fileCountRejected', { count: countOf(results, 'rejected') })}</li>
        </ul>
        {isAdding && (
          <progress className={classes.progress} aria-label={t('fileAdding')} max={total} value={counts.created} />
        )}
        <div aria-live="assertive">{failed}</div>
        {step === 'done' && <InvitationLinks users={users} results={results} />}
        <UserLines label={fileName} users={users} results={results} />
        <div className={classes.buttons}>
          {step === 'checked' && (
            <Button variant="default" onClick={current.again}>
              {t('fileChooseOther')}
            </Button>
          )}
          {isAdding && (
            <Button variant="default" onClick={current.stop}>
              {t('fileStop')}
            </Button>
          )}
          {!isAdding && counts.fresh > 0 && (
            <Button onClick={() => void current.add()}>{t('fileCreate', { count: counts.fresh })}</Button>
          )}
          {step === 'done' && counts.fresh === 0 && <Button onClick={onClose}>{t('shell:close')}</Button>}
        </div>
      </>
    );
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('fileTitle', { clinic: clinic.name })}
      size={step === 'choosing' || step === 'checking' ? 560 : 1080}
      closeOnClickOutside={false}
      closeOnEscape={!isAdding}
      withCloseButton={!isAdding}
      closeButtonProps={{ 'aria-label': t('shell:close') }}
    >
      <div className={classes.body}>
        {rolesError && <IconAlert>{t('rolesAway', { reason: failureText(failureOfQuery(rolesError)) })}</IconAlert>}
        {all && shown()}
      </div>
    </Modal>
  );
};
