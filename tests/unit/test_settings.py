"""Settings: where they come from, and what an impossible one says."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import SecretStr

from docgraph import bootstrap, plugins, settings
from docgraph.errors import PluginError, SettingsError, UserError
from docgraph.settings import Settings, changed, default_data_dir, read_settings, unknown_variables
from tests import ROOT

SECRET = "marker-password"


def test_an_argument_wins_over_the_environment_and_the_environment_over_the_default(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert read_settings().port == 8501
    monkeypatch.setenv("DOCGRAPH_PORT", "9000")
    assert read_settings().port == 9000
    assert read_settings(port=9100).port == 9100
    assert read_settings(port=None).port == 9000


def test_an_empty_variable_counts_as_not_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOCGRAPH_DATABASE_URL", "")
    assert read_settings().database_url is None


def test_given_settings_are_not_mixed_with_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    before = read_settings()
    monkeypatch.setenv("DOCGRAPH_EMBEDDER_MODEL", "from-the-environment")
    assert changed(before, workspace="notes").embedder_model is None
    assert changed(before, workspace="notes").workspace == "notes"


def test_settings_cannot_be_edited() -> None:
    with pytest.raises(ValueError, match="frozen"):
        read_settings().port = 1  # type: ignore[misc]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("port", "0"),
        ("port", "many"),
        ("pool_size", "-1"),
        ("workspace", "Not A Name"),
        ("embedder_url", "file:///x"),
        ("statement_timeout", "inf"),
        ("embedder_dimension", "1e9"),
    ],
)
def test_an_impossible_value_is_named_with_what_to_do(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    monkeypatch.setenv(f"DOCGRAPH_{name.upper()}", value)
    with pytest.raises(SettingsError) as caught:
        read_settings()
    assert f"DOCGRAPH_{name.upper()}" in caught.value.message
    assert caught.value.hint
    assert value in caught.value.message or name.endswith("_url")


def test_a_wrong_database_url_is_refused_without_repeating_its_password() -> None:
    with pytest.raises(SettingsError) as caught:
        read_settings(database_url=f"mysql://user:{SECRET}@host/name")
    assert SECRET not in str(caught.value)
    assert "postgresql://" in str(caught.value)


def test_secrets_do_not_show_when_settings_are_printed() -> None:
    shown = read_settings(
        database_url=f"postgresql://u:{SECRET}@h/n", embedder_api_key=SECRET, summarizer_api_key=SECRET
    )
    assert SECRET not in f"{shown} {shown!r} {shown.model_dump()} {shown.model_dump_json()}"
    assert isinstance(shown.database_url, SecretStr)


def test_an_unknown_argument_lists_the_settings() -> None:
    with pytest.raises(SettingsError, match="no setting 'databse_url'"):
        read_settings(databse_url="x")


def test_a_misspelt_variable_is_found() -> None:
    found = unknown_variables(
        {"DOCGRAPH_DATABSE_URL": "x", "DOCGRAPH_PORT": "1", "DOCGRAPH_TEST_DATA": "y", "PATH": ""}
    )
    assert found == ("DOCGRAPH_DATABSE_URL",)


def test_extractors_are_names_separated_by_commas(monkeypatch: pytest.MonkeyPatch) -> None:
    assert read_settings().extractors is None
    monkeypatch.setenv("DOCGRAPH_EXTRACTORS", "front_matter, wiki_links,front_matter")
    assert read_settings().extractors == ("front_matter", "wiki_links")
    monkeypatch.setenv("DOCGRAPH_EXTRACTORS", "none")
    assert read_settings().extractors == ()


def test_the_data_folder_is_never_inside_the_checkout() -> None:
    assert not default_data_dir().is_relative_to(ROOT)
    assert default_data_dir().is_absolute()


def test_a_relative_data_folder_is_made_absolute() -> None:
    assert read_settings(data_dir="~/somewhere").data_dir == Path.home() / "somewhere"
    assert read_settings(data_dir="here").data_dir.is_absolute()


def test_every_setting_has_a_sentence() -> None:
    for name, field in Settings.model_fields.items():
        assert (field.description or "").endswith("."), name


def test_an_option_that_the_plugin_cannot_use_is_refused_not_ignored() -> None:
    with pytest.raises(SettingsError, match="DOCGRAPH_EMBEDDER_URL is set, but embedders plug-in 'wordllama'"):
        bootstrap.connect(store="memory", embedder_url="http://127.0.0.1:1")
    with pytest.raises(SettingsError, match="DOCGRAPH_DATABASE_URL is set, but stores plug-in 'memory'"):
        bootstrap.connect("postgresql://host/name", store="memory")


def test_an_unknown_plugin_names_those_there_are() -> None:
    with pytest.raises(PluginError, match=r"no embedders plug-in is called 'wordlama'.*wordllama"):
        bootstrap.connect(store="memory", embedder="wordlama")
    with pytest.raises(PluginError, match="extractors"):
        bootstrap.connect(store="memory", extractors=("nonsense",))


@pytest.mark.parametrize("name", ["", "Notes", "a b", "../x", "a" * 41, "1st", "drop;table"])
def test_an_impossible_workspace_name_is_refused_before_anything_is_opened(name: str) -> None:
    with pytest.raises(UserError, match="no workspace can be called"):
        bootstrap.connect(workspace=name)


def test_chosen_extractors_alone_are_built() -> None:
    adapters = bootstrap.build_adapters(settings.read_settings(store="memory", extractors=("wiki_links",)))
    assert [extractor.name for extractor in adapters.extractors] == ["wiki_links"]
    assert len(adapters.loaders) == len(plugins.available("loaders"))


def test_providers_are_the_built_in_ones_and_each_can_be_enabled_by_name() -> None:
    everyone = bootstrap.build_adapters(read_settings(store="memory"))
    assert [p.name for p in everyone.providers] == list(bootstrap.BUILT_IN_PROVIDERS)
    assert (everyone.provider_flags, everyone.provider_timeout) == (None, 10.0)
    some = bootstrap.build_adapters(read_settings(store="memory", providers="lexical, graph", provider_timeout=2.5))
    assert some.provider_flags == {"graph": True, "semantic": False, "lexical": True, "memory": False}
    assert some.provider_timeout == 2.5
    nobody = bootstrap.build_adapters(read_settings(store="memory", providers="none"))
    assert set((nobody.provider_flags or {}).values()) == {False}
    with pytest.raises(PluginError, match="no providers plug-in is called 'grap'"):
        bootstrap.connect(store="memory", providers=("grap",))


def test_the_reranker_is_the_built_in_one_another_or_none(monkeypatch: pytest.MonkeyPatch) -> None:
    def chosen(**given: object) -> object:
        return bootstrap.build_adapters(read_settings(store="memory", **given)).reranker

    assert getattr(chosen(), "name", "") == "lexical"
    assert chosen(reranker="none") is None
    monkeypatch.setenv("DOCGRAPH_RERANKER_API_KEY", SECRET)
    assert SECRET not in f"{read_settings()!r} {read_settings().model_dump()}"
    assert getattr(chosen(reranker="voyage", reranker_model="rerank-2.5-lite"), "name", "") == "voyage"
    with pytest.raises(
        SettingsError, match="DOCGRAPH_RERANKER_API_KEY is set, but rerankers plug-in 'lexical'"
    ) as caught:
        chosen()
    assert SECRET not in str(caught.value)
    with pytest.raises(SettingsError, match="DOCGRAPH_RERANKER_API_KEY is set, but no reranker is configured"):
        chosen(reranker="none")


@pytest.mark.parametrize(
    ("name", "value"),
    [("provider_timeout", "0"), ("provider_timeout", "nan"), ("reranker_url", "ftp://x"), ("reranker_timeout", "-1")],
)
def test_impossible_settings_of_retrieval_are_named(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    monkeypatch.setenv(f"DOCGRAPH_{name.upper()}", value)
    with pytest.raises(SettingsError, match=f"DOCGRAPH_{name.upper()}"):
        read_settings()
