import { z } from 'zod';
import { uuid } from './bounds.ts';
import type { Claim } from './claims.ts';
import type { ServiceScope } from './service-scopes.ts';

/** Who may call: anyone, anyone signed in, or the holder of a claim. `unless` names a claim that denies access. */
export type Access = 'anyone' | { signedIn: true; anyOf?: readonly Claim[]; unless?: Claim };

/** Why a session may call only a few routes: it is locked, or its user must set up two-factor authentication first. */
export const restrictions = ['session-locked', 'two-factor-needed'] as const;
export type Restriction = (typeof restrictions)[number];

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface Route<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Reply extends z.ZodType = z.ZodType,
> {
  /** Path from the origin, with `:name` for parameters. */
  readonly path: string;
  readonly method: Method;
  readonly access: Access;
  /** Restrictions of a session under which the route still answers. Such a route gives no patient data. */
  readonly allowedWhen?: readonly Restriction[];
  /** Scope with which service accounts may call, for the clinic of the parameter `clinic`. Absent: users only. */
  readonly service?: ServiceScope;
  readonly params?: Params;
  readonly query?: Query;
  /** JSON unless `multipart` is set. */
  readonly body?: Body;
  readonly reply: Reply;
  /** The body is multipart/form-data: fields of `body`, then one part `file`, or several parts `files`. */
  readonly multipart?: 'file' | 'files';
  /** The body is one DICOM file (application/dicom), or several (multipart/related). */
  readonly dicom?: boolean;
  /** The body is application/octet-stream. */
  readonly bytes?: boolean;
}

/** A reply of bytes. */
export const bytes = z.instanceof(Uint8Array);
/** The id of the record that a call has made or changed. */
export const idReply = z.object({ id: uuid });
export const emptyReply = z.object({});
/** A body that only names the record. */
export const idBody = z.strictObject({ id: uuid });
export const emptyBody = z.strictObject({});

/** Declares a route and keeps its exact types. */
export const route = <P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, R extends z.ZodType>(
  definition: Route<P, Q, B, R>,
): Route<P, Q, B, R> => definition;

export const signedIn: Access = { signedIn: true };
export const needs = (...anyOf: Claim[]): Access => ({ signedIn: true, anyOf });
export const unless = (claim: Claim): Access => ({ signedIn: true, unless: claim });

export type ParamsOf<T> = T extends Route<infer P, z.ZodType, z.ZodType, z.ZodType> ? z.infer<P> : never;
export type QueryOf<T> = T extends Route<z.ZodType, infer Q, z.ZodType, z.ZodType> ? z.input<Q> : never;
export type BodyOf<T> = T extends Route<z.ZodType, z.ZodType, infer B, z.ZodType> ? z.input<B> : never;
export type ReplyOf<T> = T extends Route<z.ZodType, z.ZodType, z.ZodType, infer R> ? z.infer<R> : never;

/** `/resource/patient/:id` and `{ id }` -> the path of one call. */
export const pathOf = (path: string, params: Readonly<Record<string, string>> = {}): string =>
  path.replace(/:([A-Za-z]+)/g, (_, name: string) => {
    const value = params[name];
    if (value === undefined) throw new Error(`Path ${path} requires the parameter "${name}"`);
    return encodeURIComponent(value);
  });
