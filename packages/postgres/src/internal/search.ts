/**
 * Finds the lessons that share the rarest terms with a text. Core ranks these lessons, because the database's own
 * ranking finds fewer than half of the best five.
 */
import { termsOf } from "@reflexion/core/internal/base/text/Terms"
import type { Corpus, Filters } from "@reflexion/core/internal/memory/store/Queries"
import type { SqlClient } from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"

/**
 * `exact`: up to this many lessons are counted, and larger numbers are estimated. `visited`: the lessons of all terms
 * together. `ofTerm`: the lessons of one term. `alike`: of lessons with the same content, at most
 * this many are ranked.
 */
const limits = { exact: 1000, visited: 10_000, ofTerm: 10_000, alike: 3, ranked: 200 } as const

interface Row {
  readonly size: number
  readonly length: number
  readonly terms: ReadonlyArray<{ readonly term: string; readonly owners: number; readonly chosen: boolean }>
  readonly lines: ReadonlyArray<string>
}

export interface Candidates {
  readonly lines: ReadonlyArray<string>
  readonly corpus: Corpus
  /** True if only the rarest terms were used. */
  readonly isPart: boolean
}

/**
 * If a term has more lessons than the search reads, it is searched again within the filters. Its number of lessons is
 * estimated from `pg_stats`, which lists the frequent terms. Any other term counts as half as frequent as the rarest
 * term there.
 *
 * If `all` is false, terms are used, rarest first, as long as their lessons do not exceed `visited`.
 */
export const candidates = (sql: SqlClient, query: string, filters: Filters, all: boolean) =>
  Effect.suspend(() => {
    const terms = [...new Set(termsOf(query))]
    const { exceptTaskId = null, subtaskId = null, taskId = null } = filters
    const isFiltered = exceptTaskId !== null || subtaskId !== null || taskId !== null
    const fits = sql`(${taskId}::text is null or task_id = ${taskId}) and (${subtaskId}::text is null or subtask_id = ${subtaskId})
      and (${exceptTaskId}::text is null or task_id <> ${exceptTaskId})`
    return Effect.map(
      sql<Row>`
        with counted as (
          select count(*)::float8 as size, coalesce(sum(length), 0)::float8 as length
          from (select length from reflexion_lessons order by seq desc limit ${limits.exact}) few
        ), corpus as (
          select case when size < ${limits.exact} then size else greatest(size, reltuples) end as size, length / greatest(size, 1) as average
          from counted, pg_class where pg_class.oid = 'reflexion_lessons'::regclass
        ), known as (
          select common.term, common.share
          from pg_stats, unnest(most_common_elems::text::text[], most_common_elem_freqs) as common(term, share)
          where tablename = 'reflexion_lessons' and attname = 'terms'
            and schemaname = (select relnamespace::regnamespace::text from pg_class where oid = 'reflexion_lessons'::regclass)
            and common.term is not null
        ), asked as (
          select asked.term, coalesce(known.share, (select min(share) / 2 from known), 0) * corpus.size as estimate
          from unnest(${terms}::text[]) as asked(term) left join known using (term), corpus
        ), running as (
          select term, estimate, sum(estimate) over (order by estimate, term) as total, row_number() over (order by estimate, term) as place
          from asked
        ), chosen as materialized (
          select term, estimate, ${all} or place = 1 or total <= ${limits.visited} as chosen from running
        ), found as materialized (
          select chosen.term, lesson.*
          from chosen cross join lateral (
            select seq, said, ${fits} as fits from reflexion_lessons where terms @> array[chosen.term] collate "C" limit ${limits.ofTerm}
          ) lesson
          where chosen.chosen
        ), having_term as (
          select chosen.term, chosen.chosen, case
              when chosen.chosen and count(found.seq) < ${limits.ofTerm} then count(found.seq) else greatest(chosen.estimate, count(found.seq))
            end as owners
          from chosen left join found using (term) group by chosen.term, chosen.chosen, chosen.estimate
        ), fitting as (
          select term, seq, said from found where fits
          union select term, lesson.seq, lesson.said
          from having_term cross join lateral (
            select seq, said from reflexion_lessons where terms @> array[term] collate "C" and ${fits} limit ${limits.ofTerm}
          ) lesson
          where ${isFiltered} and chosen and owners >= ${limits.ofTerm}
        ), scored as (
          select seq, said, sum(ln(1 + (greatest(corpus.size, owners) + 20 - owners + 0.5) / (owners + 0.5))) as score
          from fitting join having_term using (term), corpus group by seq, said
        ), placed as (
          select seq, score, row_number() over (partition by said order by score desc, seq desc) as place from scored
        ), best as (
          select seq from placed where place <= ${limits.alike} order by score desc, seq desc limit ${limits.ranked}
        )
        select size, size * average as length,
          (select coalesce(jsonb_agg(jsonb_build_object('term', term, 'owners', owners, 'chosen', chosen)), '[]') from having_term) as terms,
          (select coalesce(array_agg(record::text order by seq), '{}') from best join reflexion_lessons using (seq)) as lines
        from corpus`,
      ([row]): Candidates => ({
        lines: row?.lines ?? [],
        corpus: {
          size: Math.max(1, row?.size ?? 0),
          length: row?.length ?? 0,
          having: new Map(row?.terms.map(({ owners, term }) => [term, owners]))
        },
        isPart: row?.terms.some(({ chosen }) => !chosen) ?? false
      })
    )
  })
