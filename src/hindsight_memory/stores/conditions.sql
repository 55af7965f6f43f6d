-- What every SQL store asks in the same words: conditions of filters. What differs is beside each store.

-- name: visible
m.tenant = :tenant AND (CAST(:user_id AS text) IS NULL OR m.user_id = :user_id)
   AND (CAST(:agent_id AS text) IS NULL OR m.visibility = 'user' OR m.agent_id = :agent_id)

-- name: in_tenant
-- This and the next ones are the conditions of core.filters, one each: stores.filtering puts those
-- that are asked where a query says "wanted".
m.tenant = :tenant

-- name: of_user
m.user_id = :user_id

-- name: seen_by_agent
(m.visibility = 'user' OR m.agent_id = :agent_id)

-- name: forgotten
m.deleted_at IS NOT NULL

-- name: not_forgotten
m.deleted_at IS NULL

-- name: not_superseded
m.retired_at IS NULL

-- name: known_then
m.created_at <= :known_at

-- name: of_project
m.project IN ('', :project)

-- name: in_session
m.session_id = :session_id

-- name: in_some_session
-- Lets the planner use memories_by_session, which has no others.
m.session_id <> ''

-- name: happened_since
m.happened_at >= :since

-- name: happened_until
m.happened_at < :until

-- name: tentative_of_agent
(m.status <> 'tentative' OR m.agent_id = :tentative_of)
