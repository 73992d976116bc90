//! `/api/openapi.json`: the API's document, in OpenAPI 3.1.
//!
//! An operation stands beside its handler: parameters, bodies, answers, and in `x-codes` the codes with which it in
//! particular fails. Here comes what holds for many: the codes that the guard and the reader of bodies give, what is needed
//! of a token (`route`), and the schemas of the wire's own types, which are those of `zeitnot_protocol::SCHEMA`.
//!
//! Deliberately absent: pages and files, `/ws` (docs/protocol.md describes it), `/healthz`, and what a connection is
//! answered that sends no request of HTTP.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use axum::response::IntoResponse;
use bytes::Bytes;
use http::{StatusCode, header};
use serde_json::{Map, Value, json};
use utoipa::openapi::OpenApi;
use zeitnot_protocol::Needs;

use super::error::ApiError;
use super::route::{Kind, Route};

static DOCUMENT: LazyLock<Bytes> =
    LazyLock::new(|| document(&super::api().into_openapi()).to_string().into());

/// Where the codes of an operation stand until they have become answers.
const CODES: &str = "x-codes";

const DESCRIPTION: &str = "What is not realtime of a Zeitnot server. Games are played over the WebSocket at `/ws`, see \
                           docs/protocol.md. A failed request is answered with an `Error`. Pages of browsers use the \
                           cookie, which counts only with the server's own `Origin`; other clients use a bearer token.";

/// This document.
#[utoipa::path(
    get,
    path = "/api/openapi.json",
    tag = "document",
    responses((status = 200, description = "The document in OpenAPI 3.1.", body = Object))
)]
pub(crate) async fn openapi() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "application/json")], DOCUMENT.clone())
}

/// The document of these operations.
fn document(operations: &OpenApi) -> Value {
    let mut document = json!(operations);
    document["info"] = json!({
        "title": "Zeitnot",
        "version": env!("CARGO_PKG_VERSION"),
        "description": DESCRIPTION,
        "license": { "name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0" },
    });
    for (path, methods) in entries(&mut document["paths"]) {
        for (method, operation) in entries(methods) {
            if let Some(route) = Route::named(path) {
                complete(operation, route, method == "get");
            }
        }
    }
    document["components"]["schemas"]["Error"] = json!({
        "type": "object",
        "description": "Why a request failed.",
        "required": ["code", "message"],
        "properties": {
            "code": { "type": "string", "description": "For programs; it never changes its meaning." },
            "message": { "type": "string", "description": "For people." },
            "ply": { "type": "integer", "minimum": 1, "description": "Which of the moves that were sent it is about." },
            "reason": { "$ref": "#/components/schemas/FenReason", "description": "Why a FEN is rejected, of `bad_fen`." },
            "challenge": { "$ref": "#/components/schemas/Challenge", "description": "The challenge that has ended, as far as it is remembered." },
            "error": { "type": "string", "description": "The same for clients of the Lichess API, of an unknown path or method." },
        },
    });
    document["components"]["securitySchemes"] = json!({
        "bearer": {
            "type": "http",
            "scheme": "bearer",
            "description": "A guest's token or an API token. The roles of an operation are scopes; `session` is no scope, \
                            and only a guest's token or a cookie has it.",
        },
        "cookie": {
            "type": "apiKey",
            "in": "cookie",
            "name": "zeitnot",
            "description": "A browser's cookie; under https it is called `__Host-zeitnot`.",
        },
    });
    add_schemas_of_the_wire(&mut document);
    document
}

/// The entries of an object.
fn entries(value: &mut Value) -> impl Iterator<Item = (&String, &mut Value)> {
    value.as_object_mut().into_iter().flatten()
}

/// Adds to an operation what it has in common with others.
fn complete(operation: &mut Value, route: Route, only_reads: bool) {
    let stated = operation.as_object_mut().and_then(|operation| operation.remove(CODES));
    let stated: Vec<String> = stated.and_then(|codes| serde_json::from_value(codes).ok()).unwrap_or_default();
    let needs_identity = stated.iter().any(|code| code == "no_identity");
    let mut codes: BTreeSet<&str> = stated.iter().map(String::as_str).collect();
    codes.extend(["bad_host", "cut_off", "body_too_long", "too_many_requests", "unavailable", "internal"]);
    let asks_who = matches!(route.kind, Kind::Identity | Kind::Password) || needs_identity;
    if asks_who {
        codes.extend(["bad_authorization", "too_many_bad_tokens"]);
    }
    if needs_identity {
        codes.insert("bad_token");
    }
    if !only_reads {
        codes.insert("bad_origin");
    }
    if !route.needs_nothing() {
        codes.insert("missing_scope");
    }
    if operation.get("requestBody").is_some() {
        codes.extend(["bad_body", "bad_field", "body_too_slow"]);
    }
    operation["security"] = security(route.needs, needs_identity);
    let mut by_status: BTreeMap<u16, Vec<&str>> = BTreeMap::new();
    for code in codes {
        let status = ApiError::status_of(code).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        by_status.entry(status.as_u16()).or_default().push(code);
    }
    for (status, codes) in by_status {
        operation["responses"][status.to_string()] = failure(status, &codes);
    }
}

/// What a request has to show.
fn security(needs: Needs, needs_identity: bool) -> Value {
    let role = match needs {
        Needs::Scope(scope) => scope.as_str(),
        Needs::Session => "session",
    };
    let mut security = vec![json!({ "bearer": [role] }), json!({ "cookie": [] })];
    if !needs_identity {
        security.push(json!({}));
    }
    json!(security)
}

/// The answer with this status, which has one of these codes.
fn failure(status: u16, codes: &[&str]) -> Value {
    let header = match status {
        401 => Some("WWW-Authenticate"),
        429 | 503 => Some("Retry-After"),
        _ => None,
    };
    let schema = json!({
        "allOf": [{ "$ref": "#/components/schemas/Error" }],
        "properties": { "code": { "enum": codes } },
    });
    let mut answer = json!({
        "description": format!("`{}`.", codes.join("`, `")),
        "content": { "application/json": { "schema": schema } },
    });
    match header {
        Some("Retry-After") => {
            let description = "In how many seconds to ask again.";
            let schema = json!({ "type": "integer", "minimum": 1 });
            answer["headers"]["Retry-After"] =
                json!({ "description": description, "required": true, "schema": schema });
        }
        Some(name) => {
            answer["headers"][name] = json!({ "required": true, "schema": { "type": "string" } });
        }
        None => {}
    }
    answer
}

/// Adds the types of the wire that are referred to, and those that they refer to.
fn add_schemas_of_the_wire(document: &mut Value) {
    let text = zeitnot_protocol::SCHEMA.replace("#/$defs/", SCHEMAS);
    let mut wire: Map<String, Value> = serde_json::from_str(&text).unwrap_or_default();
    let mut wire = wire.remove("$defs").unwrap_or_default();
    let mut wanted = Vec::new();
    references(document, &mut wanted);
    while let Some(name) = wanted.pop() {
        if document["components"]["schemas"].get(&name).is_some() {
            continue;
        }
        if let Some(schema) = wire.get_mut(&name).map(Value::take) {
            references(&schema, &mut wanted);
            document["components"]["schemas"][name] = schema;
        }
    }
}

const SCHEMAS: &str = "#/components/schemas/";

/// The names of the schemas that something refers to.
fn references(value: &Value, names: &mut Vec<String>) {
    match value {
        Value::Object(object) => {
            let to = object.get("$ref").and_then(Value::as_str).and_then(|to| to.strip_prefix(SCHEMAS));
            names.extend(to.map(str::to_owned));
            object.values().for_each(|value| references(value, names));
        }
        Value::Array(values) => values.iter().for_each(|value| references(value, names)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made() -> Value {
        serde_json::from_slice(&DOCUMENT).unwrap()
    }

    /// All operations, by path and method.
    fn operations(document: &Value) -> Vec<(String, &Value)> {
        let paths = document["paths"].as_object().unwrap();
        let all = paths.iter().flat_map(|(path, methods)| {
            let methods = methods.as_object().unwrap();
            methods.iter().map(move |(method, operation)| (format!("{method} {path}"), operation))
        });
        all.collect()
    }

    #[test]
    fn the_routes_that_are_mounted_and_those_of_the_document_are_the_same() {
        let document = made();
        let documented: BTreeSet<&str> =
            document["paths"].as_object().unwrap().keys().map(String::as_str).collect();
        let known: BTreeSet<&str> = Route::names_of_the_api().collect();
        assert_eq!(documented, known, "the guard knows each route of the API, and the API has each of them");
        // `api` mounts what it documents; what is mounted beside it is no part of the API.
        let beside: BTreeSet<&str> = include_str!("mod.rs")
            .split(".route(\"")
            .skip(1)
            .filter_map(|rest| rest.split('"').next())
            .collect();
        let exceptions = [
            "/",
            "/assets/{file}",
            "/embed/{game}",
            "/picture/{file}",
            "/robots.txt",
            "/favicon.ico",
            "/.well-known/security.txt",
            "/ws",
            "/healthz",
            "/sign-in",
            "/register",
            "/account",
            "/account/oauth/token",
            "/account/oauth/token/create",
            "/oauth",
            "/pages.css",
            "/echo",
            "/metrics",
        ];
        assert_eq!(beside, BTreeSet::from(exceptions), "pages, files, the socket and the checks of health");
    }

    #[test]
    fn every_code_of_an_operation_has_its_status_and_no_name_comes_twice() {
        let stated = json!(super::super::api().into_openapi());
        for (name, operation) in operations(&stated) {
            for code in operation.get(CODES).and_then(Value::as_array).into_iter().flatten() {
                let code = code.as_str().unwrap();
                assert!(ApiError::status_of(code).is_some(), "{name} fails with {code}, which no error has");
            }
        }
        let document = made();
        let mut ids = BTreeSet::new();
        for (name, operation) in operations(&document) {
            assert!(ids.insert(operation["operationId"].as_str().unwrap()), "{name}");
            assert!(operation["summary"].is_string() && operation.get(CODES).is_none(), "{name}");
            for status in ["400", "413", "429", "500", "503"] {
                assert!(operation["responses"].get(status).is_some(), "{name} {status}");
            }
        }
    }

    #[test]
    fn every_reference_leads_to_a_schema() {
        let document = made();
        let mut names = Vec::new();
        references(&document, &mut names);
        assert!(names.len() > 50, "{names:?}");
        for name in names {
            assert!(document["components"]["schemas"].get(&name).is_some(), "{name}");
        }
        assert!(!document.to_string().contains("$defs"));
    }

    #[test]
    fn what_a_route_needs_is_in_the_document() {
        let document = made();
        let security = |path: &str, method: &str| document["paths"][path][method]["security"].clone();
        assert_eq!(security("/api/account/bot", "post"), json!([{ "bearer": ["bot"] }, { "cookie": [] }]));
        assert_eq!(security("/api/me", "get"), json!([{ "bearer": ["read"] }, { "cookie": [] }]));
        assert_eq!(
            security("/api/account/sign-in", "post"),
            json!([{ "bearer": ["session"] }, { "cookie": [] }, {}])
        );
        let bot = &document["paths"]["/api/account/bot"]["post"]["responses"];
        let codes = &bot["403"]["content"]["application/json"]["schema"]["properties"]["code"]["enum"];
        assert_eq!(codes, &json!(["bad_origin", "cut_off", "is_admin", "missing_scope", "not_registered"]));
    }

    #[test]
    fn a_challenge_that_is_over_is_in_the_document() {
        let document = made();
        let gone = &document["paths"]["/api/challenges/{id}"]["get"]["responses"]["410"];
        let codes = &gone["content"]["application/json"]["schema"]["properties"]["code"]["enum"];
        let expected =
            json!(["challenge_cancelled", "challenge_declined", "challenge_expired", "challenge_taken"]);
        assert_eq!(codes, &expected);
    }
}
