import { useQuery } from '@tanstack/react-query';
import type { Template } from '../../../contract/viewsets.ts';
import { useAppQueries } from '../app/queries-context.tsx';
import { useWorkspace } from './workspace-context.ts';

/** Returns the templates of the patient's clinic, loaded when `enabled`; null until then. */
export const useTemplates = (enabled: boolean): readonly Template[] | null => {
  const queries = useAppQueries();
  const customerId = useQuery(queries.patient(useWorkspace().patientId)).data?.customerId;
  const query = useQuery({ ...queries.templates(customerId ?? ''), enabled: enabled && customerId !== undefined });
  return enabled ? (query.data ?? null) : null;
};
