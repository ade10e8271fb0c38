import { useQuery } from '@tanstack/react-query';
import { useAppQueries } from '../app/queries-context.tsx';

const refreshMs = 60_000;

/** Returns the state of all parts of the installation, refreshed every minute. */
export const useSystemDetails = () => useQuery({ ...useAppQueries().systemDetails(), refetchInterval: refreshMs });
